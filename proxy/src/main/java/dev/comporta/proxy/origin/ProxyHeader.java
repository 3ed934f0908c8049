package dev.comporta.proxy.origin;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads the header of the PROXY protocol, version 1 or 2, by which a load balancer announces the client's address at the
 * start of a connection. Borrows all buffers, and reads from their reader index on without moving it.
 */
public final class ProxyHeader {
    /** Whether a connection's first bytes are a header. */
    public enum Beginning {
        NONE,
        /** Too few bytes to decide. */
        MAYBE,
        HEADER
    }

    /** The result of reading a header. */
    public sealed interface Reading {
        /** More bytes are needed. */
        record Incomplete() implements Reading {}

        record Invalid(String why) implements Reading {}

        /**
         * @param length in bytes
         * @param local whether the connection is the load balancer's own, such as a health check
         * @param source the client's address; null if the header has none, so that the load balancer counts as the client
         */
        record Whole(int length, boolean local, @Nullable InetSocketAddress source) implements Reading {}
    }

    /** The longest line that the specification allows. */
    static final int MOST_TEXT = 107;
    /** Addresses take 216 bytes at most. The rest describes the load balancer's own TLS, possibly with a certificate. */
    static final int MOST_BINARY = 4096;

    private static final Reading INCOMPLETE = new Reading.Incomplete();

    private static final byte[] TEXT = "PROXY ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BINARY = {0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a};

    private static final int FIXED_LENGTH = 16;
    private static final int VERSION_2 = 2;
    private static final int LOCAL = 0;
    private static final int PROXY = 1;
    private static final int UNSPEC = 0;
    private static final int INET = 1;
    private static final int INET6 = 2;
    private static final int UNIX = 3;
    private static final int STREAM = 1;
    private static final int DGRAM = 2;
    private static final int PORTS_LENGTH = 4;
    private static final int UNIX_LENGTH = 216;
    private static final int TLV_HEAD = 3;
    private static final int TLV_CRC32C = 3;
    private static final int CRC_LENGTH = 4;

    private static final Pattern IPV4 = Pattern.compile("(0|[1-9]\\d{0,2})(\\.(0|[1-9]\\d{0,2})){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");
    private static final Pattern PORT = Pattern.compile("0|[1-9]\\d{0,4}");
    private static final int MOST_PORT = 65_535;

    private ProxyHeader() {}

    public static Beginning beginning(ByteBuf bytes) {
        return beginsWith(bytes, TEXT)
                ? full(bytes, TEXT)
                : beginsWith(bytes, BINARY) ? full(bytes, BINARY) : Beginning.NONE;
    }

    private static Beginning full(ByteBuf bytes, byte[] signature) {
        return bytes.readableBytes() < signature.length ? Beginning.MAYBE : Beginning.HEADER;
    }

    /** Compares as many bytes as there are. */
    private static boolean beginsWith(ByteBuf bytes, byte[] signature) {
        int length = Math.min(bytes.readableBytes(), signature.length);
        for (int i = 0; i < length; i++) {
            if (bytes.getByte(bytes.readerIndex() + i) != signature[i]) {
                return false;
            }
        }
        return true;
    }

    /** @param bytes that begin with a header's signature */
    public static Reading read(ByteBuf bytes) {
        return bytes.getByte(bytes.readerIndex()) == TEXT[0] ? text(bytes) : binary(bytes);
    }

    private static Reading text(ByteBuf bytes) {
        int start = bytes.readerIndex();
        int most = Math.min(bytes.readableBytes(), MOST_TEXT);
        int lineFeed = bytes.indexOf(start, start + most, (byte) '\n');
        if (lineFeed < 0) {
            return most < MOST_TEXT ? INCOMPLETE : invalid("a line of more than " + MOST_TEXT + " bytes");
        }
        if (bytes.getByte(lineFeed - 1) != '\r') {
            return invalid("a line that does not end with CR LF");
        }
        int length = lineFeed + 1 - start;
        String[] fields =
                bytes.toString(start, length - 2, StandardCharsets.US_ASCII).split(" ", -1);
        if (fields[1].equals("UNKNOWN")) {
            return new Reading.Whole(length, false, null); // the rest of the line is ignored
        }
        boolean v6 = fields[1].equals("TCP6");
        if ((!v6 && !fields[1].equals("TCP4")) || fields.length != 6) {
            return invalid("a line that is neither TCP4, TCP6 nor UNKNOWN");
        }
        InetAddress source = address(fields[2], v6);
        InetAddress destination = address(fields[3], v6);
        if (source == null || destination == null || !isPort(fields[4]) || !isPort(fields[5])) {
            return invalid("a line with an invalid address or port");
        }
        return new Reading.Whole(length, false, new InetSocketAddress(source, Integer.parseInt(fields[4])));
    }

    private static @Nullable InetAddress address(String text, boolean v6) {
        if (!(v6 ? IPV6 : IPV4).matcher(text).matches()) {
            return null; // Netty takes more: brackets, scopes, zeros at the beginning
        }
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(text);
        return bytes == null ? null : ClientAddress.of(bytes);
    }

    private static boolean isPort(String text) {
        return PORT.matcher(text).matches() && Integer.parseInt(text) <= MOST_PORT;
    }

    private static Reading binary(ByteBuf bytes) {
        if (bytes.readableBytes() < FIXED_LENGTH) {
            return INCOMPLETE;
        }
        int start = bytes.readerIndex();
        int versionAndCommand = bytes.getUnsignedByte(start + BINARY.length);
        int command = versionAndCommand & 0xf;
        if (versionAndCommand >> 4 != VERSION_2 || command > PROXY) {
            return invalid("version and command 0x%02x".formatted(versionAndCommand));
        }
        int length = FIXED_LENGTH + bytes.getUnsignedShort(start + FIXED_LENGTH - 2);
        if (length > MOST_BINARY) {
            return invalid("%d bytes, of which %d are taken".formatted(length, MOST_BINARY));
        }
        if (bytes.readableBytes() < length) {
            return INCOMPLETE;
        }
        if (command == LOCAL) {
            return new Reading.Whole(length, true, null); // the specification says to ignore the rest
        }
        return proxied(bytes.slice(start, length));
    }

    private static Reading proxied(ByteBuf header) {
        int familyAndProtocol = header.getUnsignedByte(BINARY.length + 1);
        int family = familyAndProtocol >> 4;
        int protocol = familyAndProtocol & 0xf;
        if (family > UNIX || protocol > DGRAM) {
            return invalid("address family and protocol 0x%02x".formatted(familyAndProtocol));
        }
        int length = header.readableBytes();
        if (family == UNSPEC || protocol == UNSPEC) {
            return new Reading.Whole(length, false, null);
        }
        int addressLength = family == INET ? 4 : 16;
        int addresses = family == UNIX ? UNIX_LENGTH : 2 * addressLength + PORTS_LENGTH;
        if (length < FIXED_LENGTH + addresses) {
            return invalid("%d bytes, too few for its addresses".formatted(length));
        }
        String why = flaw(header, FIXED_LENGTH + addresses);
        if (why != null) {
            return invalid(why);
        }
        if ((family != INET && family != INET6) || protocol != STREAM) {
            return new Reading.Whole(length, false, null); // valid, but not the address of a TCP client
        }
        InetAddress source = ClientAddress.of(ByteBufUtil.getBytes(header, FIXED_LENGTH, addressLength));
        int port = header.getUnsignedShort(FIXED_LENGTH + 2 * addressLength);
        return new Reading.Whole(length, false, new InetSocketAddress(source, port));
    }

    /** What is wrong with the values (TLVs) after the addresses; null if nothing. Each has a type, a length, and bytes. */
    private static @Nullable String flaw(ByteBuf header, int from) {
        int end = header.readableBytes();
        int checksumAt = -1;
        int at = from;
        while (at < end) {
            if (at + TLV_HEAD > end) {
                return "a value that is cut off";
            }
            int type = header.getUnsignedByte(at);
            int length = header.getUnsignedShort(at + 1);
            at += TLV_HEAD;
            if (at + length > end) {
                return "a value that is cut off";
            }
            if (type == TLV_CRC32C) {
                if (length != CRC_LENGTH || checksumAt >= 0) {
                    return "a malformed or second checksum";
                }
                checksumAt = at;
            }
            at += length;
        }
        return checksumAt < 0 || isChecksum(header, checksumAt) ? null : "a wrong checksum";
    }

    /** Checks the checksum of the whole header, computed with zeros in its own place. */
    private static boolean isChecksum(ByteBuf header, int at) {
        byte[] bytes = ByteBufUtil.getBytes(header);
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, at);
        checksum.update(new byte[CRC_LENGTH]);
        checksum.update(bytes, at + CRC_LENGTH, bytes.length - at - CRC_LENGTH);
        return checksum.getValue() == header.getUnsignedInt(at);
    }

    private static Reading invalid(String why) {
        return new Reading.Invalid(why);
    }
}
