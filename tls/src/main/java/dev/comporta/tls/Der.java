package dev.comporta.tls;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

/** The subset of ASN.1's distinguished encoding rules that a certificate needs. */
final class Der {
    static final int INTEGER = 0x02;
    static final int SEQUENCE = 0x30;
    static final int SET = 0x31;

    private static final int BOOLEAN = 0x01;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int OBJECT_IDENTIFIER = 0x06;
    private static final int UTF8_STRING = 0x0C;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int CONTEXT = 0x80;
    private static final int CONSTRUCTED = 0x20;

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'");

    private Der() {}

    static byte[] sequence(byte[]... parts) {
        return element(SEQUENCE, parts);
    }

    static byte[] integer(BigInteger value) {
        return element(INTEGER, value.toByteArray());
    }

    static byte[] yes() {
        return element(BOOLEAN, new byte[] {(byte) 0xFF});
    }

    static byte[] bitString(byte[] bytes) {
        return element(BIT_STRING, new byte[] {0}, bytes);
    }

    static byte[] octetString(byte[] bytes) {
        return element(OCTET_STRING, bytes);
    }

    static byte[] utf8(String text) {
        return element(UTF8_STRING, text.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] time(ZonedDateTime time) {
        String text = TIME.format(time.withZoneSameInstant(ZoneOffset.UTC));
        return element(GENERALIZED_TIME, text.getBytes(StandardCharsets.US_ASCII));
    }

    /** A primitive element with a context-specific tag. */
    static byte[] implicit(int tag, byte[] content) {
        return element(CONTEXT | tag, content);
    }

    /** An element inside one with a context-specific tag. */
    static byte[] explicit(int tag, byte[] element) {
        return element(CONTEXT | CONSTRUCTED | tag, element);
    }

    /** An object identifier from its dotted form. */
    static byte[] oid(String dotted) {
        String[] arcs = dotted.split("\\.", -1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(Integer.parseInt(arcs[0]) * 40 + Integer.parseInt(arcs[1]));
        for (int i = 2; i < arcs.length; i++) {
            int arc = Integer.parseInt(arcs[i]);
            for (int shift = 28; shift > 0; shift -= 7) {
                if (arc >>> shift != 0) {
                    out.write(((arc >>> shift) & 0x7F) | 0x80);
                }
            }
            out.write(arc & 0x7F);
        }
        return element(OBJECT_IDENTIFIER, out.toByteArray());
    }

    static byte[] element(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(length + 5);
        out.write(tag);
        if (length < 0x80) {
            out.write(length);
        } else if (length < 0x100) {
            out.write(0x81);
            out.write(length);
        } else {
            out.write(0x82);
            out.write(length >>> 8);
            out.write(length);
        }
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
