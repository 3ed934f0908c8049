package dev.comporta.proxy.watch;

import dev.comporta.pool.stats.BucketSnapshot;

/**
 * A server connection at one moment.
 *
 * @param client the number of the client that has it; 0 for none
 * @param spid the session's number at the server; 0 before it has answered
 * @param address of the server; empty when there is no network connection
 * @param encrypted whether all that follows the login is
 */
public record ConnectionSnapshot(
        BucketSnapshot.ConnectionSnapshot pool, long client, int spid, String address, boolean encrypted) {}
