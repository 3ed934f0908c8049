/** The fleet's slots: one limit over all instances, kept in a store. {@code docs/fleet.md} describes the protocol. */
@NullMarked
package dev.comporta.lease;

import org.jspecify.annotations.NullMarked;
