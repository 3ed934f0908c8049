package dev.comporta.proxy.prepared;

/**
 * The options of a prepared cursor, as the procedures number them.
 *
 * @param flags of sp_cursorprepare
 * @param scroll the requested kinds of cursor
 * @param concurrency the requested kinds of locking
 */
public record CursorOptions(int flags, int scroll, int concurrency) {
    static final CursorOptions NONE = new CursorOptions(0, 0, 0);
    static final CursorOptions FORWARD_ONLY = new CursorOptions(1, 4, 1);
}
