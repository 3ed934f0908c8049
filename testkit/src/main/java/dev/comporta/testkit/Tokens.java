package dev.comporta.testkit;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.Ucs2;
import dev.comporta.tds.request.AllHeaders;
import dev.comporta.tds.token.EnvChange;
import dev.comporta.tds.token.TokenType;
import dev.comporta.tds.type.TypeInfo;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A response's tokens as lines of text, for tests to compare. */
public final class Tokens {
    private static final String BEGUN = "ENVCHANGE 8 ";

    private final ByteBuf in;
    private final TdsVersion version;
    private final boolean columnEncryption;
    private final List<TypeInfo> columns = new ArrayList<>();

    private Tokens(ByteBuf in, TdsVersion version, boolean columnEncryption) {
        this.in = in;
        this.version = version;
        this.columnEncryption = columnEncryption;
    }

    public static List<String> of(ByteBuf response, TdsVersion version) {
        return of(response, version, false);
    }

    /** @param columnEncryption whether it was negotiated, so that columns are preceded by keys, of which there are none */
    public static List<String> of(ByteBuf response, TdsVersion version, boolean columnEncryption) {
        Tokens tokens = new Tokens(response, version, columnEncryption);
        List<String> said = new ArrayList<>();
        while (response.isReadable()) {
            said.add(tokens.next());
        }
        return said;
    }

    /**
     * What requests in a transaction carry, according to the answer that began it: SQL Server tells it, and wants it in each;
     * Babelfish does neither.
     */
    public static AllHeaders inTransaction(List<String> begun) {
        return begun.stream()
                .filter(token -> token.startsWith(BEGUN))
                .map(token -> AllHeaders.inTransaction(Long.parseLong(token.substring(BEGUN.length()))))
                .findFirst()
                .orElse(AllHeaders.AUTOCOMMIT);
    }

    private String next() {
        int token = in.readUnsignedByte();
        return switch (token) {
            case TokenType.DONE -> done("DONE");
            case TokenType.DONEPROC -> done("DONEPROC");
            case TokenType.DONEINPROC -> done("DONEINPROC");
            case TokenType.ENVCHANGE -> envChange(in.readSlice(in.readUnsignedShortLE()));
            case TokenType.ERROR -> message("ERROR", in.readSlice(in.readUnsignedShortLE()));
            case TokenType.INFO -> message("INFO", in.readSlice(in.readUnsignedShortLE()));
            case TokenType.LOGINACK -> loginAck(in.readSlice(in.readUnsignedShortLE()));
            case TokenType.FEATUREEXTACK -> featureExtAck();
            case TokenType.RETURNSTATUS -> "RETURNSTATUS " + in.readIntLE();
            case TokenType.RETURNVALUE -> returnValue();
            case TokenType.COLMETADATA -> columnMetadata();
            case TokenType.ROW -> row(new byte[columns.size()]);
            case TokenType.NBCROW -> {
                byte[] bitmap = new byte[(columns.size() + 7) / 8];
                in.readBytes(bitmap);
                yield "NBC" + row(bitmap);
            }
            default -> throw new AssertionError("token 0x%02x".formatted(token));
        };
    }

    private String done(String name) {
        int status = in.readUnsignedShortLE();
        int command = in.readUnsignedShortLE();
        long count = version.hasLongRowCounts() ? in.readLongLE() : in.readUnsignedIntLE();
        return "%s 0x%x cmd 0x%x count %d".formatted(name, status, command, count);
    }

    private static String envChange(ByteBuf body) {
        int type = body.readUnsignedByte();
        return switch (type) {
            case EnvChange.BEGIN_TRANSACTION -> {
                body.skipBytes(1);
                yield BEGUN + body.readLongLE();
            }
            case EnvChange.COMMIT_TRANSACTION, EnvChange.ROLLBACK_TRANSACTION -> {
                body.skipBytes(2);
                yield "ENVCHANGE " + type + " " + body.readLongLE();
            }
            case EnvChange.COLLATION -> "ENVCHANGE 7 of " + body.readUnsignedByte() + " bytes";
            default ->
                "ENVCHANGE " + type + " '" + Ucs2.readByteLength(body) + "' from '" + Ucs2.readByteLength(body) + "'";
        };
    }

    private String message(String name, ByteBuf body) {
        int number = body.readIntLE();
        int state = body.readUnsignedByte();
        int severity = body.readUnsignedByte();
        return "%s %d state %d class %d: %s".formatted(name, number, state, severity, Ucs2.readShortLength(body));
    }

    private static String loginAck(ByteBuf body) {
        body.skipBytes(1);
        return "LOGINACK 0x%08x %s".formatted(body.readInt(), Ucs2.readByteLength(body));
    }

    private String featureExtAck() {
        StringBuilder said = new StringBuilder("FEATUREEXTACK");
        for (int id = in.readUnsignedByte(); id != 0xFF; id = in.readUnsignedByte()) {
            in.skipBytes(in.readIntLE());
            said.append(' ').append(id);
        }
        return said.toString();
    }

    private String returnValue() {
        int ordinal = in.readUnsignedShortLE();
        String name = Ucs2.readByteLength(in);
        in.skipBytes(1 + (version.hasLongUserTypes() ? 4 : 2) + 2);
        TypeInfo type = TypeInfo.read(in, version);
        return "RETURNVALUE " + ordinal + " " + name + " = " + type.readValue(in);
    }

    private String columnMetadata() {
        columns.clear();
        List<String> names = new ArrayList<>();
        int count = in.readUnsignedShortLE();
        in.skipBytes(columnEncryption ? Short.BYTES : 0);
        for (int i = 0; i < count; i++) {
            in.skipBytes(version.hasLongUserTypes() ? 6 : 4);
            columns.add(TypeInfo.read(in, version));
            names.add(Ucs2.readByteLength(in) + " " + columns.getLast().type());
        }
        return "COLMETADATA " + names;
    }

    private String row(byte[] nullBitmap) {
        @Nullable Object[] values = new @Nullable Object[columns.size()];
        for (int i = 0; i < values.length; i++) {
            boolean isNull = (nullBitmap[i / 8] >> i % 8 & 1) != 0;
            values[i] = isNull ? null : columns.get(i).readColumn(in);
        }
        return "ROW " + Arrays.toString(values);
    }
}
