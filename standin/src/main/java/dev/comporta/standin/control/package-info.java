/** How tests control and observe a stand-in: misbehaviours, counters and records of its sessions. */
@NullMarked
package dev.comporta.standin.control;

import org.jspecify.annotations.NullMarked;
