package dev.comporta.tds.request;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.Ucs2;
import io.netty.buffer.ByteBuf;

/** A batch of T-SQL. */
public record SqlBatch(AllHeaders headers, String text) {
    /** Borrows the body of a whole message. */
    public static SqlBatch read(ByteBuf body, RequestFormat format) {
        ByteBuf in = body.slice();
        AllHeaders headers = format.version().hasAllHeaders() ? AllHeaders.read(in) : AllHeaders.AUTOCOMMIT;
        if (format.enclavePackages()) {
            EnclavePackage.read(in);
        }
        if (in.readableBytes() % 2 != 0) {
            throw new ProtocolException("batch of %d bytes: half a character".formatted(in.readableBytes()));
        }
        return new SqlBatch(headers, Ucs2.read(in, in.readableBytes() / 2));
    }

    public void write(ByteBuf out, RequestFormat format) {
        if (format.version().hasAllHeaders()) {
            headers.write(out);
        }
        if (format.enclavePackages()) {
            EnclavePackage.write(out, new byte[0]);
        }
        Ucs2.write(out, text);
    }
}
