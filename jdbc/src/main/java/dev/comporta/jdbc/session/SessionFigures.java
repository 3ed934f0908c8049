package dev.comporta.jdbc.session;

/**
 * What a session counts itself.
 *
 * @param loans how often it was lent, with those that the core was not told of
 * @param queries 0 if they are not counted
 * @param lost it is of no further use, and closed when its client gives it back
 */
public record SessionFigures(long loans, long queries, boolean lost) {}
