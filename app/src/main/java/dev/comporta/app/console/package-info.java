/** The views and commands of an instance's SQL console. */
@NullMarked
package dev.comporta.app.console;

import org.jspecify.annotations.NullMarked;
