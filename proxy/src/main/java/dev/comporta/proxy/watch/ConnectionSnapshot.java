package dev.comporta.proxy.watch;

import dev.comporta.pool.stats.BucketSnapshot;

/**
 * A server connection at one moment.
 *
 * @param client the number of the client that has it; 0 for none
 * @param spid the session's number at the server; 0 before it has answered
 * @param address the server's address; empty without a network connection
 * @param encrypted whether everything is encrypted, not only the login
 */
public record ConnectionSnapshot(
        BucketSnapshot.ConnectionSnapshot pool, long client, int spid, String address, boolean encrypted) {}
