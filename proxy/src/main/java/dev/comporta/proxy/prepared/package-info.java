/**
 * Prepared statements that do not pin: the text that a client's handle stands for, and the handle that a server connection
 * has for it. Protocol knowledge only; {@code relay} decides which client is attached to which connection.
 */
@NullMarked
package dev.comporta.proxy.prepared;

import org.jspecify.annotations.NullMarked;
