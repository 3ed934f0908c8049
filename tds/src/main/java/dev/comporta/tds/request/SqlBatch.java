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

    /** The index at which a batch's text begins whose headers are at this index; -1 if the bytes end before. Borrows them. */
    public static int textAt(ByteBuf bytes, int index, RequestFormat format) {
        if (!format.version().hasAllHeaders()) {
            return index;
        }
        if (bytes.writerIndex() - index < Integer.BYTES) {
            return -1;
        }
        long headers = bytes.getUnsignedIntLE(index);
        if (headers < Integer.BYTES || headers > bytes.writerIndex() - index) {
            return -1;
        }
        int at = index + (int) headers;
        return format.enclavePackages() ? EnclavePackage.end(bytes, at) : at;
    }

    public void write(ByteBuf out, RequestFormat format) {
        if (format.version().hasAllHeaders()) {
            headers.write(out);
        }
        if (format.enclavePackages()) {
            EnclavePackage.writeEmpty(out);
        }
        Ucs2.write(out, text);
    }
}
