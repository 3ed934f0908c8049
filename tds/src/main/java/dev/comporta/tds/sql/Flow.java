package dev.comporta.tds.sql;

/**
 * Tracks whether the statement that begins here is sure to run, if the text before it ran without an error. Belongs to one
 * scanner.
 */
final class Flow {
    private static final int DEEPEST = 64;

    /** One bit per open BEGIN block: set if the block may not run, or not to its end. */
    private long uncertainBlocks;

    private int depth;
    /** After IF, WHILE or ELSE: the next statement may not run. */
    private boolean isGoverned;
    /** After RETURN or GOTO: no later statement is sure to run. */
    private boolean isBroken;

    void clear() {
        uncertainBlocks = 0;
        depth = 0;
        isGoverned = false;
        isBroken = false;
    }

    /** A statement begins; returns whether it is sure to run. */
    boolean beginStatement() {
        boolean certain = !isGoverned && !isBroken && uncertainBlocks == 0;
        isGoverned = false;
        return certain;
    }

    void governNext() {
        isGoverned = true;
    }

    boolean governsNext() {
        return isGoverned;
    }

    void breakOff() {
        isBroken = true;
    }

    /** Opens a block; returns false if it is nested too deeply to be tracked. */
    boolean open(boolean certain) {
        if (depth < DEEPEST && !certain) {
            uncertainBlocks |= 1L << depth;
        }
        return ++depth <= DEEPEST;
    }

    /** Closes a block; returns false if none is open. */
    boolean close() {
        if (depth == 0) {
            return false;
        }
        depth--;
        if (depth < DEEPEST) {
            uncertainBlocks &= ~(1L << depth);
        }
        return true;
    }

    boolean isClosed() {
        return depth == 0;
    }
}
