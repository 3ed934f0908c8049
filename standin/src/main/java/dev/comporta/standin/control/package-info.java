/** What tests tell a stand-in to do wrong, and what they ask it for: counts and records of its sessions. */
@NullMarked
package dev.comporta.standin.control;

import org.jspecify.annotations.NullMarked;
