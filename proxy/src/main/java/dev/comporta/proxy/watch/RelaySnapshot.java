package dev.comporta.proxy.watch;

import java.util.Map;

/**
 * The values of {@link RelayCounters} at one moment. The maps are by the constants' names in lower case, including those at 0.
 *
 * @param resets by {@link RelayCounters.Reset}
 * @param ownMessages by {@link RelayCounters.OwnMessage}
 * @param logins by {@link RelayCounters.Login}
 * @param refusals by error
 * @param packetsSent to servers, by type
 * @param packetsReceived from servers, by type
 * @param handshakes with servers that succeeded
 */
public record RelaySnapshot(
        Map<String, Long> resets,
        Map<String, Long> ownMessages,
        Map<String, Long> logins,
        Map<String, Long> refusals,
        Map<String, Long> packetsSent,
        Map<String, Long> packetsReceived,
        long stateReplays,
        long handshakes,
        long failedHandshakes,
        long slowRequests) {}
