/** How the log is written. */
@NullMarked
package dev.comporta.app.log;

import org.jspecify.annotations.NullMarked;
