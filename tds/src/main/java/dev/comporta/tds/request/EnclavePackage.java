package dev.comporta.tds.request;

import dev.comporta.tds.ProtocolException;
import io.netty.buffer.ByteBuf;

/** Data for a secure enclave that precedes a request: opaque, with its length in two bytes. */
final class EnclavePackage {
    private EnclavePackage() {}

    static byte[] read(ByteBuf body) {
        int length = body.readableBytes() < Short.BYTES ? Integer.MAX_VALUE : body.readUnsignedShortLE();
        if (length > body.readableBytes()) {
            throw new ProtocolException("the enclave package is cut short");
        }
        byte[] bytes = new byte[length];
        body.readBytes(bytes);
        return bytes;
    }

    static void write(ByteBuf out, byte[] bytes) {
        if (bytes.length > 0xFFFF) {
            throw new IllegalArgumentException("enclave package of " + bytes.length + " bytes");
        }
        out.writeShortLE(bytes.length).writeBytes(bytes);
    }
}
