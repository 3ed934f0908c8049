/**
 * {@code comporta top}: the fleet on a terminal. What the instances say becomes a {@code FleetSight}; what keys were pressed,
 * a {@code Screen}; both together a {@code Frame} of lines, by a pure function. Only the outermost classes know threads, HTTP
 * and the terminal.
 */
@NullMarked
package dev.comporta.app.top;

import org.jspecify.annotations.NullMarked;
