package dev.comporta.standin.engine.type;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.SqlType.Name;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;

/** Values as bytes, in the layout of SQL Server's casts. */
public final class BinaryForm {
    /** The code page of the server's collation. */
    public static final Charset CODE_PAGE = Charset.forName("windows-1252");

    private BinaryForm() {}

    static byte[] of(Object value, SqlType from, SqlType to, int style) {
        byte[] bytes = bytes(value, from, to, style);
        int length = to.name() == Name.ROWVERSION ? 8 : to.length();
        if (length <= 0) {
            return bytes;
        }
        boolean number = value instanceof Number || value instanceof Boolean;
        if (bytes.length > length) {
            return number
                    ? Arrays.copyOfRange(bytes, bytes.length - length, bytes.length)
                    : Arrays.copyOf(bytes, length);
        }
        if (to.name() == Name.BINARY && bytes.length < length) {
            byte[] padded = new byte[length];
            System.arraycopy(bytes, 0, padded, number ? length - bytes.length : 0, bytes.length);
            return padded;
        }
        return bytes;
    }

    private static byte[] bytes(Object value, SqlType from, SqlType to, int style) {
        return switch (value) {
            case byte[] bytes -> bytes;
            case String text when style == 1 || style == 2 -> hex(text, style == 1);
            case String text -> text.getBytes(Types.isUnicode(from) ? StandardCharsets.UTF_16LE : CODE_PAGE);
            case Boolean flag -> new byte[] {(byte) (flag ? 1 : 0)};
            case Short number when from.name() == Name.TINYINT -> new byte[] {number.byteValue()};
            case Short number -> ByteBuffer.allocate(2).putShort(number).array();
            case Integer number -> ByteBuffer.allocate(4).putInt(number).array();
            case Long number -> ByteBuffer.allocate(8).putLong(number).array();
            case Float number -> ByteBuffer.allocate(4).putFloat(number).array();
            case Double number -> ByteBuffer.allocate(8).putDouble(number).array();
            case BigDecimal number
            when Types.isMoney(from) ->
                ByteBuffer.allocate(8)
                        .putLong(number.movePointRight(4).longValue())
                        .array();
            case UUID uuid -> bytes(uuid);
            default -> throw SqlError.notAllowed(Types.name(from), Types.name(to));
        };
    }

    private static byte[] hex(String text, boolean prefixed) {
        String digits = prefixed && (text.startsWith("0x") || text.startsWith("0X")) ? text.substring(2) : text;
        try {
            return HexFormat.of().parseHex(digits);
        } catch (IllegalArgumentException e) {
            throw SqlError.conversionError("varchar", "varbinary");
        }
    }

    /** The first three groups of a uniqueidentifier are little-endian. */
    static byte[] bytes(UUID uuid) {
        byte[] b = ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
        return swapped(b);
    }

    static UUID uuid(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(swapped(bytes));
        return new UUID(buffer.getLong(), buffer.getLong());
    }

    private static byte[] swapped(byte[] b) {
        byte[] result = b.clone();
        int[] order = {3, 2, 1, 0, 5, 4, 7, 6};
        for (int i = 0; i < order.length; i++) {
            result[i] = b[order[i]];
        }
        return result;
    }
}
