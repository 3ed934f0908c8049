package dev.comporta.tds.type;

import io.netty.buffer.ByteBuf;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * The five bytes that determine how characters compare and, for CHAR and VARCHAR, their code page.
 *
 * @param info the locale (20 bits), comparison flags (8) and version (4)
 * @param sortId the sort order of a SQL collation; 0 for a Windows collation, whose locale determines the code page
 */
public record Collation(int info, int sortId) {
    public static final int BYTES = 5;

    /** SQL_Latin1_General_CP1_CI_AS, the collation of a server installed in English. */
    public static final Collation DEFAULT = new Collation(0x00D00409, 0x34);

    /** Latin1_General_100_CI_AS_SC_UTF8. */
    public static final Collation UTF8 = new Collation(0x24D00409, 0);

    private static final int UTF8_FLAG = 1 << 26;

    public static Collation read(ByteBuf in) {
        return new Collation(in.readIntLE(), in.readUnsignedByte());
    }

    public void write(ByteBuf out) {
        out.writeIntLE(info);
        out.writeByte(sortId);
    }

    public int lcid() {
        return info & 0xFFFFF;
    }

    public boolean isUtf8() {
        return (info & UTF8_FLAG) != 0;
    }

    /** The encoding of CHAR, VARCHAR and TEXT values under this collation. */
    public Charset charset() {
        if (isUtf8()) {
            return StandardCharsets.UTF_8;
        }
        return sortId != 0 ? CodePage.ofSortId(sortId) : CodePage.ofLcid(lcid());
    }
}
