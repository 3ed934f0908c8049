package dev.comporta.standin.control;

/**
 * What a stand-in has counted so far, so that tests can check what happened at the server and not only at its clients.
 *
 * @param sessionsOpen sessions that are logged in
 * @param mostSessions the most that were logged in at one time. A session that the stand-in itself ends (it was killed, or
 *     a misbehaviour ends it) counts until its connection is cut, not until its transaction is rolled back: its client may
 *     have logged in again by then
 * @param connections accepted, with or without a login
 * @param resets by RESETCONNECTION or RESETCONNECTIONSKIPTRAN
 * @param requests batches, procedure calls (each of several in a message), transaction manager requests, bulk loads
 * @param roundTrips messages of logged-in clients that were answered, attentions included
 * @param delayed messages delayed by the misbehaviour {@code slow}; counted when the delay begins
 * @param rollbacksAtDisconnect transactions that were open when their client disconnected
 * @param bulkRows rows received by bulk load
 * @param prepares statements and cursors prepared by sp_prepare and related procedures, by RPC or in a text
 * @param handleExecutions executions of these by their handle
 * @param unknownHandles requests that named a prepared handle which their session did not have
 * @param protocolErrors connections closed because of invalid bytes
 */
public record Counters(
        int sessionsOpen,
        int mostSessions,
        long connections,
        long logins,
        long failedLogins,
        long resets,
        long requests,
        long roundTrips,
        long attentions,
        long delayed,
        long rollbacksAtDisconnect,
        long bulkRows,
        long prepares,
        long handleExecutions,
        long unknownHandles,
        long protocolErrors) {}
