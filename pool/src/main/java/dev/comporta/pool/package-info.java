/**
 * The pool core: a deterministic state machine. Events go in (a request, a release, an opened or failed connection, a
 * granted or revoked slot, the time), {@link dev.comporta.pool.Orders orders} come out. It has no thread, no clock, no
 * I/O and no randomness of its own, and knows no protocol: its carrier provides these.
 *
 * <p>{@link dev.comporta.pool.Bucket} → {@link dev.comporta.pool.Pool} → {@link dev.comporta.pool.ServerConnection}. A
 * bucket and everything in it is confined to one thread.
 */
@NullMarked
package dev.comporta.pool;

import org.jspecify.annotations.NullMarked;
