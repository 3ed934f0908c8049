/** The commands that talk to an instance over HTTP, and their options. */
@NullMarked
package dev.comporta.app.command;

import org.jspecify.annotations.NullMarked;
