package dev.comporta.tds.login;

import dev.comporta.tds.ProtocolException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A PRELOGIN message of either side: its options in the order in which they were sent, unknown ones included, so that a
 * message is written back as it was read. Immutable.
 */
public final class Prelogin {
    public static final int VERSION = 0x00;
    public static final int ENCRYPTION = 0x01;
    public static final int INSTOPT = 0x02;
    public static final int THREADID = 0x03;
    public static final int MARS = 0x04;
    public static final int TRACEID = 0x05;
    public static final int FEDAUTHREQUIRED = 0x06;
    public static final int NONCEOPT = 0x07;

    private static final int TERMINATOR = 0xFF;
    /** Token, offset, length. */
    private static final int ENTRY_LENGTH = 5;
    /** The specification defines 8 options; no real client sends more than this. */
    private static final int MAX_OPTIONS = 32;

    /** The version of the sender's software; not that of the protocol. */
    public record Version(int major, int minor, int build, int subBuild) {}

    /** Nobody changes the value's position: readers duplicate it, or read by index. */
    private record Option(int token, ByteBuffer value) {
        byte[] bytes() {
            byte[] copy = new byte[value.remaining()];
            value.get(value.position(), copy);
            return copy;
        }
    }

    private final List<Option> options;

    private Prelogin(List<Option> options) {
        this.options = Collections.unmodifiableList(options);
    }

    /** Borrows the payload of a PRELOGIN message (all its packets, without their headers). */
    public static Prelogin read(ByteBuf payload) {
        int start = payload.readerIndex();
        int length = payload.readableBytes();
        List<Option> options = new ArrayList<>(8);
        int entry = 0;
        int valueBytes = 0;
        while (true) {
            if (entry >= length) {
                throw new ProtocolException("PRELOGIN has no terminator");
            }
            int token = payload.getUnsignedByte(start + entry);
            if (token == TERMINATOR) {
                break;
            }
            if (entry + ENTRY_LENGTH > length) {
                throw new ProtocolException("PRELOGIN is cut short in its list of options");
            }
            if (options.size() == MAX_OPTIONS) {
                throw new ProtocolException("PRELOGIN has more than " + MAX_OPTIONS + " options");
            }
            int valueOffset = payload.getUnsignedShort(start + entry + 1);
            int valueLength = payload.getUnsignedShort(start + entry + 3);
            if (valueOffset + valueLength > length) {
                throw new ProtocolException("PRELOGIN option " + token + " lies outside of its message");
            }
            valueBytes += valueLength;
            if (valueBytes > length) {
                throw new ProtocolException("PRELOGIN options overlap"); // and would outgrow a message when written
            }
            options.add(new Option(token, checked(token, payload, start + valueOffset, valueLength, options)));
            entry += ENTRY_LENGTH;
        }
        if (options.isEmpty() || options.getFirst().token != VERSION) {
            throw new ProtocolException("PRELOGIN does not begin with VERSION");
        }
        return new Prelogin(options);
    }

    private static ByteBuffer checked(int token, ByteBuf payload, int offset, int length, List<Option> before) {
        for (Option option : before) {
            if (option.token == token) {
                throw new ProtocolException("PRELOGIN has option " + token + " twice");
            }
        }
        boolean fits = switch (token) {
            case VERSION -> length == 6;
            case ENCRYPTION -> length == 1;
            case MARS, FEDAUTHREQUIRED -> length <= 1;
            // Servers leave the thread, the trace and the nonce empty.
            case THREADID -> length == 0 || length == 4;
            case TRACEID -> length == 0 || length == 16 || length == 36;
            case NONCEOPT -> length == 0 || length == 32;
            default -> true;
        };
        if (!fits) {
            throw new ProtocolException("PRELOGIN option " + token + " has a length of " + length);
        }
        if (token == ENCRYPTION) {
            Encryption.of(payload.getByte(offset));
        }
        return ByteBuffer.wrap(ByteBufUtil.getBytes(payload, offset, length, true));
    }

    /** Borrows {@code out} and appends the message's payload. */
    public void write(ByteBuf out) {
        int offset = options.size() * ENTRY_LENGTH + 1;
        for (Option option : options) {
            out.writeByte(option.token);
            out.writeShort(offset);
            out.writeShort(option.value.remaining());
            offset += option.value.remaining();
        }
        out.writeByte(TERMINATOR);
        for (Option option : options) {
            out.writeBytes(option.value.duplicate());
        }
    }

    public Version version() {
        ByteBuffer v = options.getFirst().value;
        return new Version(v.get(0) & 0xFF, v.get(1) & 0xFF, v.getShort(2) & 0xFFFF, v.getShort(4) & 0xFFFF);
    }

    /** The option's value; a peer that omits it does not support encryption. */
    public Encryption encryption() {
        byte[] value = option(ENCRYPTION);
        return value == null ? Encryption.NOT_SUPPORTED : Encryption.of(value[0]);
    }

    /** The instance that the client asks for; empty for the default one. In a server's answer: empty if it matched. */
    public String instance() {
        byte[] value = option(INSTOPT);
        if (value == null) {
            return "";
        }
        int end = 0;
        while (end < value.length && value[end] != 0) {
            end++;
        }
        return new String(value, 0, end, StandardCharsets.ISO_8859_1);
    }

    public boolean mars() {
        return flag(MARS);
    }

    public boolean fedAuthRequired() {
        return flag(FEDAUTHREQUIRED);
    }

    private boolean flag(int token) {
        byte[] value = option(token);
        return value != null && value.length == 1 && value[0] == 1;
    }

    public boolean has(int token) {
        return find(token) != null;
    }

    /** The option's bytes, or null when it was not sent. */
    public byte @Nullable [] option(int token) {
        Option option = find(token);
        return option == null ? null : option.bytes();
    }

    private @Nullable Option find(int token) {
        for (Option option : options) {
            if (option.token == token) {
                return option;
            }
        }
        return null;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Prelogin that && that.options.equals(options);
    }

    @Override
    public int hashCode() {
        return options.hashCode();
    }

    @Override
    public String toString() {
        return "PRELOGIN " + version() + ", encryption " + encryption() + ", MARS " + mars();
    }

    /** Starts a message; VERSION is first, as the specification demands. */
    public static Builder builder(Version version) {
        return new Builder(version);
    }

    /** Collects the options of a message to send. */
    public static final class Builder {
        private final List<Option> options = new ArrayList<>(8);

        private Builder(Version v) {
            option(
                    VERSION,
                    (byte) v.major,
                    (byte) v.minor,
                    (byte) (v.build >> 8),
                    (byte) v.build,
                    (byte) (v.subBuild >> 8),
                    (byte) v.subBuild);
        }

        public Builder encryption(Encryption encryption) {
            return option(ENCRYPTION, (byte) encryption.code());
        }

        public Builder instance(String name) {
            byte[] characters = name.getBytes(StandardCharsets.ISO_8859_1);
            return option(INSTOPT, Arrays.copyOf(characters, characters.length + 1));
        }

        /** A server leaves the value empty. */
        public Builder threadId(byte... fourBytes) {
            return option(THREADID, fourBytes);
        }

        public Builder mars(boolean wanted) {
            return option(MARS, (byte) (wanted ? 1 : 0));
        }

        public Builder fedAuthRequired(boolean required) {
            return option(FEDAUTHREQUIRED, (byte) (required ? 1 : 0));
        }

        public Builder option(int token, byte... value) {
            options.add(new Option(token, ByteBuffer.wrap(value.clone())));
            return this;
        }

        public Prelogin build() {
            return new Prelogin(new ArrayList<>(options));
        }
    }
}
