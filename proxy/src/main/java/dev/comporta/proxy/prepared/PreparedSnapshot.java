package dev.comporta.proxy.prepared;

/**
 * The contents and counters of {@link PreparedTexts} at one moment.
 *
 * @param texts the different statements that clients have handles for
 * @param bytes the memory that they take
 */
public record PreparedSnapshot(int texts, long bytes, long hits, long asText, long preparedAgain, long bound) {}
