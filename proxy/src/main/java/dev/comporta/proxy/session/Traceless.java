package dev.comporta.proxy.session;

import dev.comporta.tds.sql.Finding;
import dev.comporta.tds.sql.Finding.Effect;
import dev.comporta.tds.sql.Scope;
import dev.comporta.tds.sql.SqlFindings;
import dev.comporta.tds.sql.SqlScanner;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/** Checks whether T-SQL leaves a session unchanged, as far as its text shows. */
public final class Traceless {
    private Traceless() {}

    public static boolean is(String sql) {
        ByteBuf text = Unpooled.wrappedBuffer(sql.getBytes(StandardCharsets.UTF_16LE));
        SqlFindings found = new SqlScanner().scan(text, 0, text.readableBytes(), Scope.BATCH);
        return found.setCount() == 0
                && !found.has(Finding.CHANGES_DATABASE)
                && !found.hasAny(Effect.TRANSACTION)
                && !found.hasAny(Effect.OPAQUE)
                && !found.hasAny(Effect.PIN)
                && !found.hasAny(Effect.NEXT_REQUEST);
    }
}
