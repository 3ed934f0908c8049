package dev.comporta.proxy.prepared;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.request.EnclavePackage;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.request.SystemProcedure;
import dev.comporta.tds.type.DataType;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** The call by which the proxy itself prepares a statement that a client has prepared on another connection. */
public final class PrepareCall {
    private static final int BY_REFERENCE = 0x01;

    private PrepareCall() {}

    /** Appends the call, without the message's headers. Borrows {@code out}. */
    public static void write(ByteBuf out, PreparedText text, RequestFormat format) {
        TdsVersion version = format.version();
        int procedure = switch (text.kind()) {
            case STATEMENT -> SystemProcedure.PREPARE;
            case CURSOR -> SystemProcedure.CURSOR_PREPARE;
        };
        CallText.writeHead(out, procedure, 0);
        if (format.enclavePackages()) {
            EnclavePackage.writeEmpty(out);
        }
        writeInteger(out, BY_REFERENCE, null);
        CallText.writeParameter(out, text.declaration(), version);
        CallText.writeParameter(out, text.text(), version);
        if (text.kind() == PreparedText.Kind.CURSOR) {
            writeInteger(out, 0, text.options().flags());
            writeInteger(out, 0, text.options().scroll());
            writeInteger(out, 0, text.options().concurrency());
        }
    }

    private static void writeInteger(ByteBuf out, int status, @Nullable Integer value) {
        out.writeByte(0).writeByte(status).writeByte(DataType.INTN.code()).writeByte(Integer.BYTES);
        out.writeByte(value == null ? 0 : Integer.BYTES);
        if (value != null) {
            out.writeIntLE(value);
        }
    }
}
