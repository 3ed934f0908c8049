package dev.comporta.standin.engine.session;

import dev.comporta.standin.engine.ast.Query;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A cursor of DECLARE CURSOR, open or not. */
public final class DeclaredCursor {
    public final Query query;
    public final Frame frame;
    public final boolean local;
    public final boolean scrolls;

    @Nullable
    public Cursor open;

    public DeclaredCursor(Query query, Frame frame, List<String> options) {
        this.query = query;
        this.frame = frame;
        this.local = options.contains("LOCAL");
        boolean kinds = options.contains("STATIC") || options.contains("KEYSET") || options.contains("DYNAMIC");
        boolean forward = options.contains("FORWARD_ONLY") || options.contains("FAST_FORWARD");
        this.scrolls = options.contains("SCROLL") || options.contains("INSENSITIVE") || (kinds && !forward);
    }
}
