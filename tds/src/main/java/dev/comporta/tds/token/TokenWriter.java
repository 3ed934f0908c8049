package dev.comporta.tds.token;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.Ucs2;
import dev.comporta.tds.type.Collation;
import dev.comporta.tds.type.TypeInfo;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the tokens of a response for one version of the protocol, except result sets, which {@link RowFormat} writes.
 * Appends to the given buffer; how the bytes are divided into packets is decided elsewhere.
 */
public record TokenWriter(TdsVersion version) {
    /** The value is an output parameter of a procedure. */
    public static final int OUTPUT_PARAMETER = 0x01;
    /** The value is a function's result. */
    public static final int FUNCTION_RESULT = 0x02;

    private static final int SQL_TSQL = 1;
    private static final int FEATURE_TERMINATOR = 0xFF;

    /** @param rowCount valid if the status has {@link DoneStatus#COUNT} */
    public void done(ByteBuf out, int status, int command, long rowCount) {
        done(out, TokenType.DONE, status, command, rowCount);
    }

    public void doneProc(ByteBuf out, int status, int command, long rowCount) {
        done(out, TokenType.DONEPROC, status, command, rowCount);
    }

    public void doneInProc(ByteBuf out, int status, int command, long rowCount) {
        done(out, TokenType.DONEINPROC, status, command, rowCount);
    }

    private void done(ByteBuf out, int token, int status, int command, long rowCount) {
        out.writeByte(token);
        out.writeShortLE(status);
        out.writeShortLE(command);
        if (version.hasLongRowCounts()) {
            out.writeLongLE(rowCount);
        } else {
            out.writeIntLE((int) rowCount);
        }
    }

    /** @param severity SQL Server's class, from 11 */
    public void error(
            ByteBuf out, int number, int state, int severity, String text, String server, String procedure, int line) {
        message(out, TokenType.ERROR, number, state, severity, text, server, procedure, line);
    }

    /** @param severity SQL Server's class, up to 10 */
    public void info(
            ByteBuf out, int number, int state, int severity, String text, String server, String procedure, int line) {
        message(out, TokenType.INFO, number, state, severity, text, server, procedure, line);
    }

    private void message(
            ByteBuf out,
            int token,
            int number,
            int state,
            int severity,
            String text,
            String server,
            String procedure,
            int line) {
        int length = begin(out, token);
        out.writeIntLE(number);
        out.writeByte(state);
        out.writeByte(severity);
        Ucs2.writeShortLength(out, text);
        Ucs2.writeByteLength(out, server);
        Ucs2.writeByteLength(out, procedure);
        if (version.hasLongLineNumbers()) {
            out.writeIntLE(line);
        } else {
            out.writeShortLE(line);
        }
        end(out, length);
    }

    /** The changes whose values are text: database, language, character set, packet size, sort order, partner, instance. */
    public void envChange(ByteBuf out, int type, String to, String from) {
        int length = begin(out, TokenType.ENVCHANGE);
        out.writeByte(type);
        Ucs2.writeByteLength(out, to);
        Ucs2.writeByteLength(out, from);
        end(out, length);
    }

    public void collationChanged(ByteBuf out, @Nullable Collation to, @Nullable Collation from) {
        int length = begin(out, TokenType.ENVCHANGE);
        out.writeByte(EnvChange.COLLATION);
        writeCollation(out, to);
        writeCollation(out, from);
        end(out, length);
    }

    private static void writeCollation(ByteBuf out, @Nullable Collation collation) {
        out.writeByte(collation == null ? 0 : Collation.BYTES);
        if (collation != null) {
            collation.write(out);
        }
    }

    public void transactionBegan(ByteBuf out, long descriptor) {
        transaction(out, EnvChange.BEGIN_TRANSACTION, descriptor, true);
    }

    public void transactionCommitted(ByteBuf out, long descriptor) {
        transaction(out, EnvChange.COMMIT_TRANSACTION, descriptor, false);
    }

    public void transactionRolledBack(ByteBuf out, long descriptor) {
        transaction(out, EnvChange.ROLLBACK_TRANSACTION, descriptor, false);
    }

    private static void transaction(ByteBuf out, int type, long descriptor, boolean isNew) {
        int length = begin(out, TokenType.ENVCHANGE);
        out.writeByte(type);
        if (!isNew) {
            out.writeByte(0);
        }
        out.writeByte(Long.BYTES);
        out.writeLongLE(descriptor);
        if (isNew) {
            out.writeByte(0);
        }
        end(out, length);
    }

    /** Type 15, whose value may be longer than the token's length field can express: the length covers the type alone. */
    public void transactionPromoted(ByteBuf out, byte[] propagationToken) {
        out.writeByte(TokenType.ENVCHANGE);
        out.writeShortLE(1);
        out.writeByte(EnvChange.PROMOTE_TRANSACTION);
        out.writeIntLE(propagationToken.length);
        out.writeBytes(propagationToken);
        out.writeByte(0);
    }

    public void resetAcknowledged(ByteBuf out) {
        envChange(out, EnvChange.RESET_ACKNOWLEDGED, "", "");
    }

    public void routing(ByteBuf out, String server, int port) {
        int length = begin(out, TokenType.ENVCHANGE);
        out.writeByte(EnvChange.ROUTING);
        out.writeShortLE(1 + 2 + 2 + 2 * server.length());
        out.writeByte(0); // TCP, the only protocol there is
        out.writeShortLE(port);
        Ucs2.writeShortLength(out, server);
        out.writeShortLE(0);
        end(out, length);
    }

    /** To a database of this name. */
    public void enhancedRouting(ByteBuf out, String server, int port, String database) {
        int length = begin(out, TokenType.ENVCHANGE);
        out.writeByte(EnvChange.ENHANCED_ROUTING);
        out.writeShortLE(1 + 2 + 2 + 2 * server.length() + 2 + 2 * database.length());
        out.writeByte(0);
        out.writeShortLE(port);
        Ucs2.writeShortLength(out, server);
        Ucs2.writeShortLength(out, database);
        out.writeShortLE(0);
        end(out, length);
    }

    /** @param build two bytes, for example 4335 in 16.0.4335 */
    public void loginAck(ByteBuf out, String program, int major, int minor, int build) {
        int length = begin(out, TokenType.LOGINACK);
        out.writeByte(SQL_TSQL);
        out.writeInt(version.wireValue());
        Ucs2.writeByteLength(out, program);
        out.writeByte(major);
        out.writeByte(minor);
        out.writeShort(build);
        end(out, length);
    }

    /** @param features the data of each acknowledged feature, by its id */
    public void featureExtAck(ByteBuf out, Map<Integer, byte[]> features) {
        out.writeByte(TokenType.FEATUREEXTACK);
        features.forEach((feature, data) -> {
            out.writeByte(feature);
            out.writeIntLE(data.length);
            out.writeBytes(data);
        });
        out.writeByte(FEATURE_TERMINATOR);
    }

    public void returnStatus(ByteBuf out, int status) {
        out.writeByte(TokenType.RETURNSTATUS);
        out.writeIntLE(status);
    }

    /**
     * @param ordinal of the parameter in the call, from 0; before 7.2 the token has its length in that place
     * @param status {@link #OUTPUT_PARAMETER} or {@link #FUNCTION_RESULT}
     */
    public void returnValue(ByteBuf out, int ordinal, String name, int status, TypeInfo type, @Nullable Object value) {
        TypeInfo wireType = LegacyForm.typeFor(type, version);
        out.writeByte(TokenType.RETURNVALUE);
        out.writeShortLE(ordinal);
        int start = out.writerIndex();
        Ucs2.writeByteLength(out, name);
        out.writeByte(status);
        RowFormat.writeUserType(out, version, 0);
        out.writeShortLE(ColumnMetadata.NULLABLE);
        wireType.write(out);
        wireType.writeValue(out, LegacyForm.valueFor(type, wireType, value));
        if (!version.hasReturnOrdinals()) {
            // A longer text can be read all the same: clients ignore this length.
            out.setShortLE(start - Short.BYTES, Math.min(out.writerIndex() - start, 0xFFFF));
        }
    }

    /** @param columns by which the rows are ordered, from 1 */
    public void order(ByteBuf out, int... columns) {
        int length = begin(out, TokenType.ORDER);
        for (int column : columns) {
            out.writeShortLE(column);
        }
        end(out, length);
    }

    /** @param tables the parts of each table's name */
    public void tabName(ByteBuf out, List<List<String>> tables) {
        int length = begin(out, TokenType.TABNAME);
        for (List<String> table : tables) {
            // The number of parts comes first even in 7.1, unlike that of the table's name in COLMETADATA.
            out.writeByte(table.size());
            for (String part : table) {
                Ucs2.writeShortLength(out, part);
            }
        }
        end(out, length);
    }

    /**
     * One column of COLINFO.
     *
     * @param column from 1
     * @param table in TABNAME, from 1; 0 for an expression
     * @param baseName the column's name in its table if the result renames it; otherwise empty
     */
    public record ColInfo(int column, int table, int status, String baseName) {
        public static final int EXPRESSION = 0x04;
        public static final int KEY = 0x08;
        public static final int HIDDEN = 0x10;
        public static final int DIFFERENT_NAME = 0x20;
    }

    public void colInfo(ByteBuf out, List<ColInfo> columns) {
        int length = begin(out, TokenType.COLINFO);
        for (ColInfo column : columns) {
            out.writeByte(column.column());
            out.writeByte(column.table());
            if (column.baseName().isEmpty()) {
                out.writeByte(column.status());
            } else {
                out.writeByte(column.status() | ColInfo.DIFFERENT_NAME);
                Ucs2.writeByteLength(out, column.baseName());
            }
        }
        end(out, length);
    }

    /** @param states the changed parts of the session's state: the value by the part's number */
    public void sessionState(ByteBuf out, int sequence, boolean recoverable, Map<Integer, byte[]> states) {
        out.writeByte(TokenType.SESSIONSTATE);
        int head = out.writerIndex();
        out.writeIntLE(0);
        out.writeIntLE(sequence);
        out.writeByte(recoverable ? 1 : 0);
        states.forEach((state, value) -> {
            out.writeByte(state);
            if (value.length < 0xFF) {
                out.writeByte(value.length);
            } else {
                out.writeByte(0xFF);
                out.writeIntLE(value.length);
            }
            out.writeBytes(value);
        });
        out.setIntLE(head, out.writerIndex() - head - Integer.BYTES);
    }

    public void sspi(ByteBuf out, byte[] data) {
        int length = begin(out, TokenType.SSPI);
        out.writeBytes(data);
        end(out, length);
    }

    /** Tells a client where to get its access token: the identity provider, and this server's name there. */
    public void fedAuthInfo(ByteBuf out, String stsUrl, String spn) {
        byte[] url = stsUrl.getBytes(StandardCharsets.UTF_16LE);
        byte[] name = spn.getBytes(StandardCharsets.UTF_16LE);
        int directory = Integer.BYTES + 2 * (1 + 2 * Integer.BYTES);
        out.writeByte(TokenType.FEDAUTHINFO);
        out.writeIntLE(directory + url.length + name.length);
        out.writeIntLE(2);
        out.writeByte(0x01);
        out.writeIntLE(url.length);
        out.writeIntLE(directory);
        out.writeByte(0x02);
        out.writeIntLE(name.length);
        out.writeIntLE(directory + url.length);
        out.writeBytes(url);
        out.writeBytes(name);
    }

    /** Begins a token with a length of two bytes; returns the index of the length. */
    private static int begin(ByteBuf out, int token) {
        out.writeByte(token);
        out.writeShortLE(0);
        return out.writerIndex();
    }

    private static void end(ByteBuf out, int start) {
        int length = out.writerIndex() - start;
        if (length > 0xFFFF) {
            out.writerIndex(start - 3);
            throw new IllegalArgumentException("token of %d bytes: 65535 is the most".formatted(length));
        }
        out.setShortLE(start - 2, length);
    }
}
