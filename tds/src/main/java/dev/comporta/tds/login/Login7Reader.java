package dev.comporta.tds.login;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.Ucs2;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads LOGIN7. Its fields point anywhere into the message, so each is checked against the bytes received, not against
 * the length that the message claims, which some drivers count without their extensions.
 */
final class Login7Reader {
    /** The specification's limit. Fields may overlap, so without it a message of 128 KB could hold a megabyte of text. */
    private static final int MOST_CHARACTERS = 128;
    /** The specification's limit for a file path. */
    private static final int MOST_CHARACTERS_OF_FILE = 260;
    /** The specification defines a dozen, and each becomes an object; no real client sends more than this. */
    private static final int MOST_FEATURES = 64;
    /** Overlapping fields grow when the message is written again; and a proxy writes other, sometimes longer, names into it. */
    private static final int MOST_FIELD_BYTES = Login7.MAX_LENGTH - 4096;

    private final ByteBuf body;
    private final int start;
    private final int available;
    /** Bytes of the fields read, counting overlaps again. */
    private long fieldBytes;

    Login7Reader(ByteBuf body) {
        this.body = body;
        start = body.readerIndex();
        available = body.readableBytes();
    }

    Login7 read() {
        if (available > Login7.MAX_LENGTH) {
            throw new ProtocolException(
                    "LOGIN7 of %d bytes; at most %d are allowed".formatted(available, Login7.MAX_LENGTH));
        }
        require(0, Login7Layout.LENGTH_BEFORE_7_2, "fixed part");
        long claimed = body.getUnsignedIntLE(start + Login7Layout.LENGTH);
        if (claimed > available) {
            throw new ProtocolException("LOGIN7 claims %d bytes and has %d".formatted(claimed, available));
        }
        int tdsVersion = intAt(Login7Layout.TDS_VERSION);
        TdsVersion version = TdsVersion.negotiate(tdsVersion);
        boolean hasLongForm = version.isAtLeast(TdsVersion.V7_2);
        if (hasLongForm) {
            require(0, Login7Layout.FIXED_LENGTH, "fixed part");
        }
        int optionFlags3 = byteAt(Login7Layout.OPTION_FLAGS_3);
        boolean extended = version.hasFeatureExtensions() && (optionFlags3 & Login7.FLAG3_EXTENSION) != 0;
        Login7 login = new Login7(
                tdsVersion,
                intAt(Login7Layout.PACKET_SIZE),
                intAt(Login7Layout.CLIENT_PROG_VERSION),
                intAt(Login7Layout.CLIENT_PID),
                intAt(Login7Layout.CONNECTION_ID),
                byteAt(Login7Layout.OPTION_FLAGS_1),
                byteAt(Login7Layout.OPTION_FLAGS_2),
                byteAt(Login7Layout.TYPE_FLAGS),
                optionFlags3,
                intAt(Login7Layout.TIME_ZONE),
                intAt(Login7Layout.LCID),
                text(Login7Layout.HOST_NAME, "host name"),
                text(Login7Layout.USER_NAME, "user name"),
                password(Login7Layout.PASSWORD, "password"),
                text(Login7Layout.APP_NAME, "application name"),
                text(Login7Layout.SERVER_NAME, "server name"),
                text(Login7Layout.INTERFACE_NAME, "interface name"),
                text(Login7Layout.LANGUAGE, "language"),
                text(Login7Layout.DATABASE, "database"),
                clientId(),
                sspi(hasLongForm),
                text(Login7Layout.ATTACH_DB_FILE, "attached file", MOST_CHARACTERS_OF_FILE),
                hasLongForm ? password(Login7Layout.CHANGE_PASSWORD, "new password") : Secret.EMPTY,
                extended ? features() : List.of());
        if (fieldBytes > MOST_FIELD_BYTES) {
            throw new ProtocolException(
                    "LOGIN7's fields have %d bytes; at most %d are allowed".formatted(fieldBytes, MOST_FIELD_BYTES));
        }
        return login;
    }

    private String text(int field, String what) {
        return text(field, what, MOST_CHARACTERS);
    }

    private String text(int field, String what, int most) {
        int characters = characters(field, what, most);
        if (characters == 0) {
            return "";
        }
        int offset = shortAt(field);
        require(offset, 2L * characters, what);
        fieldBytes += 2L * characters;
        return Ucs2.get(body, start + offset, characters);
    }

    private int characters(int field, String what, int most) {
        int characters = shortAt(field + 2);
        if (characters > most) {
            throw new ProtocolException(
                    "LOGIN7's %s has %d characters; at most %d are allowed".formatted(what, characters, most));
        }
        return characters;
    }

    private Secret password(int field, String what) {
        byte[] bytes = bytes(shortAt(field), 2L * characters(field, what, MOST_CHARACTERS), what);
        Obfuscation.undo(bytes);
        return Secret.ofBytes(bytes);
    }

    private long clientId() {
        return (long) body.getUnsignedShort(start + Login7Layout.CLIENT_ID) << 32
                | body.getUnsignedInt(start + Login7Layout.CLIENT_ID + 2);
    }

    private Secret sspi(boolean hasLongForm) {
        long length = shortAt(Login7Layout.SSPI + 2);
        if (hasLongForm && length == Login7Layout.LENGTH_IS_LONG) {
            long longLength = body.getUnsignedIntLE(start + Login7Layout.SSPI_LONG);
            length = longLength > 0 ? longLength : length;
        }
        return Secret.ofBytes(bytes(shortAt(Login7Layout.SSPI), length, "SSPI data"));
    }

    private List<FeatureExtension> features() {
        int pointer = shortAt(Login7Layout.EXTENSION);
        require(pointer, Integer.BYTES, "extension offset");
        long at = body.getUnsignedIntLE(start + pointer);
        List<FeatureExtension> features = new ArrayList<>();
        while (true) {
            require(at, 1, "feature id");
            int id = byteAt((int) at);
            if (id == FeatureExtension.TERMINATOR) {
                return features;
            }
            if (features.size() == MOST_FEATURES) {
                throw new ProtocolException("LOGIN7 asks for more than " + MOST_FEATURES + " features");
            }
            require(at + 1, Integer.BYTES, "feature length");
            long length = body.getUnsignedIntLE(start + (int) at + 1);
            at += 1 + Integer.BYTES;
            features.add(new FeatureExtension(id, bytes(at, length, FeatureExtension.name(id))));
            at += length;
        }
    }

    private byte[] bytes(long offset, long length, String what) {
        if (length == 0) {
            return new byte[0];
        }
        require(offset, length, what);
        fieldBytes += length;
        byte[] bytes = new byte[(int) length];
        body.getBytes(start + (int) offset, bytes);
        return bytes;
    }

    private void require(long offset, long length, String what) {
        if (offset + length > available) {
            throw new ProtocolException("LOGIN7's %s is at %d to %d, beyond its %d bytes"
                    .formatted(what, offset, offset + length, available));
        }
    }

    private int byteAt(int offset) {
        return body.getUnsignedByte(start + offset);
    }

    private int shortAt(int offset) {
        return body.getUnsignedShortLE(start + offset);
    }

    private int intAt(int offset) {
        return body.getIntLE(start + offset);
    }
}
