package dev.comporta.proxy.prepared;

/**
 * What {@link PreparedTexts} hold and have counted, at one moment.
 *
 * @param texts different statements that clients have handles for
 * @param bytes that they take
 */
public record PreparedSnapshot(int texts, long bytes, long hits, long asText, long preparedAgain, long bound) {}
