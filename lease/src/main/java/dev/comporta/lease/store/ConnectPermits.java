package dev.comporta.lease.store;

/**
 * Connects that the fleet's connect rate permits now.
 *
 * @param retryInMillis when to ask for those that were not permitted
 */
public record ConnectPermits(int granted, long retryInMillis) {}
