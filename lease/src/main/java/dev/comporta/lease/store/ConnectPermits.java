package dev.comporta.lease.store;

/**
 * Connects that the fleet's connect rate permits now.
 *
 * @param retryInMillis when to ask for those that were not permitted
 * @param ageNanos how long ago this was decided, at most
 */
public record ConnectPermits(int granted, long retryInMillis, long ageNanos) {}
