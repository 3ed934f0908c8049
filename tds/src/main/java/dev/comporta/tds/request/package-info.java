/**
 * The requests of clients that are logged in. There are two ways to read each. A server, which executes it, reads it whole
 * into records: {@code read} borrows the body of a message that {@link dev.comporta.tds.packet.MessageAssembler} joined
 * within a limit. The proxy forwards it and only has to know what it does: the walkers ({@link
 * dev.comporta.tds.request.SqlBatchWalker}, {@link dev.comporta.tds.request.RpcWalker}) see each packet before it is
 * forwarded and keep none, so that a request of any size passes in constant memory. (A transaction manager request needs
 * no walker: it is at most 64 KB long, so it can be joined anywhere.)
 */
@NullMarked
package dev.comporta.tds.request;

import org.jspecify.annotations.NullMarked;
