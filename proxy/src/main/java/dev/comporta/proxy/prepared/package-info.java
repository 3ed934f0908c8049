/**
 * Prepared statements that do not pin: what a client's handle stands for, and which handle a server connection has for it.
 * Protocol knowledge only; who is attached to what is for {@code relay} to decide.
 */
@NullMarked
package dev.comporta.proxy.prepared;

import org.jspecify.annotations.NullMarked;
