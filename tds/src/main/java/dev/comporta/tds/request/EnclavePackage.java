package dev.comporta.tds.request;

import dev.comporta.tds.ProtocolException;
import io.netty.buffer.ByteBuf;

/** Data for a secure enclave, in each batch and call of logins that negotiated it: opaque, with its length in two bytes. */
public final class EnclavePackage {
    private EnclavePackage() {}

    /** Appends an empty one. Borrows the buffer. */
    public static void writeEmpty(ByteBuf out) {
        out.writeShortLE(0);
    }

    /** The index at which the package ends that begins at this index; -1 if the bytes end before. Borrows the buffer. */
    public static int end(ByteBuf bytes, int index) {
        if (bytes.writerIndex() - index < Short.BYTES) {
            return -1;
        }
        int end = index + Short.BYTES + bytes.getUnsignedShortLE(index);
        return end <= bytes.writerIndex() ? end : -1;
    }

    static byte[] read(ByteBuf body) {
        int length = body.readableBytes() < Short.BYTES ? Integer.MAX_VALUE : body.readUnsignedShortLE();
        if (length > body.readableBytes()) {
            throw new ProtocolException("the enclave package is cut short");
        }
        byte[] bytes = new byte[length];
        body.readBytes(bytes);
        return bytes;
    }
}
