package dev.comporta.jdbc.session;

/**
 * A session's own counts.
 *
 * @param loans how often it was lent, including loans without the core
 * @param queries 0 if they are not counted
 * @param lost it can't be used any more, and is closed when its client gives it back
 */
public record SessionFigures(long loans, long queries, boolean lost) {}
