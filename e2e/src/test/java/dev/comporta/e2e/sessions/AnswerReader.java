package dev.comporta.e2e.sessions;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.Ucs2;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.tds.token.EnvChange;
import dev.comporta.tds.token.TokenType;
import dev.comporta.tds.type.TypeInfo;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts a response into lines, one for each token, that are the same wherever the response came from. Left out are, each for
 * the reason that the server chooses them anew in each session: the values of handles that a call returns, the numbers of
 * handles in messages (if they are those that the client has sent), and transaction descriptors. Packets and their headers,
 * with the SPID, are not looked at.
 */
final class AnswerReader {
    private static final int NO_COLUMNS = 0xFFFF;

    private final TdsVersion version;
    private final Handles handles;
    private final List<TypeInfo> columns = new ArrayList<>();
    private long transaction;
    private boolean attentionAcknowledged;
    private int calls;
    private int values;

    AnswerReader(TdsVersion version, Handles handles) {
        this.version = version;
        this.handles = handles;
    }

    TdsVersion version() {
        return version;
    }

    /** The descriptor of the transaction that is open, as far as the server tells. */
    long transaction() {
        return transaction;
    }

    boolean attentionAcknowledged() {
        return attentionAcknowledged;
    }

    List<String> read(ByteBuf in, @Nullable Step step) {
        attentionAcknowledged = false;
        calls = 0;
        values = 0;
        List<String> lines = new ArrayList<>();
        while (in.isReadable()) {
            int token = in.readUnsignedByte();
            try {
                lines.add(token(token, in, step));
            } catch (ProtocolException | IndexOutOfBoundsException broken) {
                throw new ProtocolException("after %s: token 0x%02X: %s, %s"
                        .formatted(lines, token, broken.getMessage(), ByteBufUtil.hexDump(in)));
            }
        }
        return lines;
    }

    private String token(int token, ByteBuf in, @Nullable Step step) {
        return switch (token) {
            case TokenType.COLMETADATA -> columns(in);
            case TokenType.ROW -> row(in, null);
            case TokenType.NBCROW -> row(in, in.readBytes((columns.size() + 7) / 8));
            case TokenType.DONE -> done("DONE", in);
            case TokenType.DONEINPROC -> done("DONEINPROC", in);
            case TokenType.DONEPROC -> {
                calls++;
                values = 0;
                yield done("DONEPROC", in);
            }
            case TokenType.ERROR -> message("ERROR", in.readSlice(in.readUnsignedShortLE()));
            case TokenType.INFO -> message("INFO", in.readSlice(in.readUnsignedShortLE()));
            case TokenType.ENVCHANGE -> change(in.readSlice(in.readUnsignedShortLE()));
            case TokenType.RETURNSTATUS -> "RETURNSTATUS " + in.readIntLE();
            case TokenType.RETURNVALUE -> returnValue(in, step);
            case TokenType.ORDER, TokenType.TABNAME, TokenType.COLINFO, TokenType.LOGINACK ->
                "TOKEN 0x%02X ".formatted(token) + ByteBufUtil.hexDump(in.readSlice(in.readUnsignedShortLE()));
            default -> throw new ProtocolException("unexpected");
        };
    }

    private String columns(ByteBuf in) {
        int count = in.readUnsignedShortLE();
        if (count == NO_COLUMNS) {
            return "COLMETADATA none";
        }
        columns.clear();
        StringBuilder line = new StringBuilder("COLMETADATA");
        for (int i = 0; i < count; i++) {
            long userType = version.hasLongUserTypes() ? in.readUnsignedIntLE() : in.readUnsignedShortLE();
            int flags = in.readUnsignedShortLE();
            TypeInfo type = TypeInfo.read(in, version);
            columns.add(type);
            if (type.type().hasTextPointer()) {
                line.append(" table").append(table(in));
            }
            line.append(" [").append(Ucs2.readByteLength(in)).append("] ").append(shown(type));
            line.append(" %x/%x".formatted(flags, userType));
        }
        return line.toString();
    }

    private String table(ByteBuf in) {
        int parts = version.isAtLeast(TdsVersion.V7_2) ? in.readUnsignedByte() : 1;
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < parts; i++) {
            name.append('.').append(Ucs2.readShortLength(in));
        }
        return name.toString();
    }

    private static String shown(TypeInfo type) {
        return "%s(%d,%d,%d)%s"
                .formatted(
                        type.type(),
                        type.maxLength(),
                        type.precision(),
                        type.scale(),
                        type.collation() == null
                                ? ""
                                : " %x/%x"
                                        .formatted(
                                                type.collation().info(),
                                                type.collation().sortId()));
    }

    private String row(ByteBuf in, @Nullable ByteBuf nulls) {
        StringBuilder line = new StringBuilder(nulls == null ? "ROW" : "NBCROW");
        for (int i = 0; i < columns.size(); i++) {
            boolean isNull = nulls != null && (nulls.getByte(i / 8) >> (i % 8) & 1) != 0;
            line.append(i == 0 ? " " : ", ")
                    .append(isNull ? "NULL" : Arg.shown(columns.get(i).readColumn(in)));
        }
        if (nulls != null) {
            nulls.release();
        }
        return line.toString();
    }

    private String done(String name, ByteBuf in) {
        int status = in.readUnsignedShortLE();
        int command = in.readUnsignedShortLE();
        long rows = version.hasLongRowCounts() ? in.readLongLE() : in.readUnsignedIntLE();
        attentionAcknowledged |= (status & DoneStatus.ATTN) != 0;
        return "%s 0x%x command %x rows %d".formatted(name, status, command, rows);
    }

    private String message(String name, ByteBuf in) {
        int number = in.readIntLE();
        int state = in.readUnsignedByte();
        int severity = in.readUnsignedByte();
        String text = handles.hide(number, Ucs2.readShortLength(in));
        String server = Ucs2.readByteLength(in);
        // An execution by text is a call of the other (docs/prepared-statements.md).
        String procedure = Ucs2.readByteLength(in).replaceFirst("(?i)^(sys\\.)?sp_execute(sql)?$", "sp_execute");
        long line = version.hasLongLineNumbers() ? in.readUnsignedIntLE() : in.readUnsignedShortLE();
        return "%s %d state %d severity %d line %d %s%s: %s"
                .formatted(
                        name,
                        handles.number(number),
                        state,
                        severity,
                        line,
                        server,
                        procedure.isEmpty() ? "" : " in " + procedure,
                        text);
    }

    private String change(ByteBuf in) {
        int type = in.readUnsignedByte();
        return "ENVCHANGE %d ".formatted(type)
                + switch (type) {
                    case EnvChange.DATABASE, EnvChange.LANGUAGE, EnvChange.CHARSET, EnvChange.PACKET_SIZE ->
                        Ucs2.readByteLength(in) + " from " + Ucs2.readByteLength(in);
                    case EnvChange.BEGIN_TRANSACTION -> {
                        in.skipBytes(1);
                        transaction = in.readLongLE();
                        yield "began " + ByteBufUtil.hexDump(in);
                    }
                    case EnvChange.COMMIT_TRANSACTION, EnvChange.ROLLBACK_TRANSACTION, EnvChange.TRANSACTION_ENDED -> {
                        transaction = 0;
                        yield "ended, " + in.readableBytes() + " bytes";
                    }
                    default -> ByteBufUtil.hexDump(in);
                };
    }

    private String returnValue(ByteBuf in, @Nullable Step step) {
        int ordinal = in.readUnsignedShortLE();
        String name = Ucs2.readByteLength(in);
        int status = in.readUnsignedByte();
        long userType = version.hasLongUserTypes() ? in.readUnsignedIntLE() : in.readUnsignedShortLE();
        int flags = in.readUnsignedShortLE();
        TypeInfo type = TypeInfo.read(in, version);
        Object value = type.readValue(in);
        String shown = Arg.shown(value);
        if (step != null && step.request() instanceof Step.Calls sent) {
            Arg arg = sent.calls().get(calls).returned(ordinal, values, version.hasReturnOrdinals());
            if (arg.returns() >= 0 && value instanceof Integer number) {
                // A cursor that was read to its end has the handle 0: that much is the same everywhere.
                shown = number == 0 ? "no handle" : handles.returned(arg.returns(), number);
            }
        }
        values++;
        return "RETURNVALUE %d %s %d %x/%x %s %s".formatted(ordinal, name, status, flags, userType, shown(type), shown);
    }
}
