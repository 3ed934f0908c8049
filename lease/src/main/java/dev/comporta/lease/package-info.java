/** The fleet's slots: one limit over all instances, kept in a store. The protocol is told in {@code docs/fleet.md}. */
@NullMarked
package dev.comporta.lease;

import org.jspecify.annotations.NullMarked;
