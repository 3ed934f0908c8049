/**
 * What clients ask of servers, once logged in. Each request is seen in two ways. Whole, as records, by a server, which
 * carries it out: {@code read} borrows the body of a message that {@link dev.comporta.tds.packet.MessageAssembler} put together
 * within a limit. And in passing, by the proxy, which only has to know what it is about: the walkers ({@link
 * dev.comporta.tds.request.SqlBatchWalker}, {@link dev.comporta.tds.request.RpcWalker}) are shown packet after packet,
 * before each is forwarded, and hold nothing of them, so that a request of any size passes in constant memory. (A
 * transaction manager request needs no walker: it can't be longer than 64 KB, so it may be put together anywhere.)
 */
@NullMarked
package dev.comporta.tds.request;

import org.jspecify.annotations.NullMarked;
