package dev.comporta.proxy.prepared;

/**
 * How a cursor is prepared; as the procedures number it.
 *
 * @param flags of sp_cursorprepare
 * @param scroll the kinds of cursor that are asked for
 * @param concurrency the kinds of locking that are asked for
 */
public record CursorOptions(int flags, int scroll, int concurrency) {
    static final CursorOptions NONE = new CursorOptions(0, 0, 0);
    static final CursorOptions FORWARD_ONLY = new CursorOptions(1, 4, 1);
}
