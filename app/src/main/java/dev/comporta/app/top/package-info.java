/**
 * {@code comporta top}: the fleet on a terminal. The instances' answers become a {@code FleetSight}, the user's keys a {@code
 * Screen}, and a pure function turns both into the lines of a {@code Frame}. Only the outermost classes use threads, HTTP and
 * the terminal.
 */
@NullMarked
package dev.comporta.app.top;

import org.jspecify.annotations.NullMarked;
