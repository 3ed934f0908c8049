package dev.comporta.tds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Bytes of the wire, written for people: a text file of hex digits in any grouping, {@code "text"} for UTF-16LE, and
 * comments from {@code #} to the end of the line. Replays them in every way that a network may deliver them, and fails
 * when a buffer is left behind, whether it was handed to the parser or allocated by it.
 */
public final class Fixture {
    /** A parser that is fed a stream piece by piece. Owns the pieces. */
    public interface StreamParser<T> {
        void feed(ByteBuf piece);

        /** What was parsed, after the last piece; compared with {@code equals}. */
        T result();

        /** The connection has closed, perhaps in the middle of a message. */
        default void close() {}
    }

    private final String name;
    private final byte[] bytes;

    private Fixture(String name, byte[] bytes) {
        this.name = name;
        this.bytes = bytes;
    }

    /** Reads {@code /fixtures/<name>.hex} of the class path. */
    public static Fixture load(String name) {
        try (InputStream in = Fixture.class.getResourceAsStream("/fixtures/" + name + ".hex")) {
            if (in == null) {
                throw new IllegalArgumentException("no fixture " + name);
            }
            return new Fixture(name, parse(new String(in.readAllBytes(), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As {@link #load}, from the text itself. */
    public static Fixture ofText(String text) {
        return new Fixture("inline", parse(text));
    }

    public static Fixture ofBytes(byte[] bytes) {
        return new Fixture("bytes", bytes.clone());
    }

    public byte[] bytes() {
        return bytes.clone();
    }

    /**
     * Gives a parser that borrows a whole message the message: in one piece, as single bytes, and in two pieces cut at
     * every place, always with the same result; then cut short at every length, which may end in a
     * {@link ProtocolException} or in a shorter message, but in nothing else.
     *
     * @return the result of the whole
     */
    public <T> T replay(Function<ByteBuf, T> parser) {
        T whole = borrowed("whole", alloc -> whole(alloc, bytes.length), parser);
        assertThat(borrowed("as single bytes", this::singleBytes, parser))
                .as("%s as single bytes", name)
                .isEqualTo(whole);
        for (int cut = 1; cut < bytes.length; cut++) {
            int at = cut;
            assertThat(borrowed("cut at " + at, alloc -> twoPieces(alloc, at), parser))
                    .as("%s cut at %d", name, at)
                    .isEqualTo(whole);
        }
        for (int length = 0; length < bytes.length; length++) {
            int end = length;
            try {
                borrowed("short at " + end, alloc -> whole(alloc, end), parser);
            } catch (ProtocolException expected) {
                assertThat(expected).hasMessageNotContaining("null");
            }
        }
        return whole;
    }

    /** As {@link #replay}, where every shortened message has to be refused. */
    public <T> T replayAllOrNothing(Function<ByteBuf, T> parser) {
        for (int length = 0; length < bytes.length; length++) {
            int end = length;
            try {
                T result = borrowed("short at " + end, alloc -> whole(alloc, end), parser);
                fail("%s cut short at %d was read as %s", name, end, result);
            } catch (ProtocolException expected) {
                assertThat(expected).hasMessageNotContaining("null");
            }
        }
        return replay(parser);
    }

    /**
     * Feeds new parsers the stream: whole, and in pieces of every size from single bytes on, always with the same result;
     * then cut short at every length and closed there.
     *
     * @return the result of the whole
     */
    public <T> T replayStream(Supplier<StreamParser<T>> parsers) {
        T whole = streamed("whole", parsers, bytes.length, bytes.length);
        for (int size = 1; size < bytes.length; size++) {
            assertThat(streamed("in pieces of " + size, parsers, size, bytes.length))
                    .as("%s in pieces of %d", name, size)
                    .isEqualTo(whole);
        }
        for (int length = 0; length < bytes.length; length++) {
            try {
                streamed("short at " + length, parsers, Math.max(1, length), length);
            } catch (ProtocolException expected) {
                assertThat(expected).hasMessageNotContaining("null");
            }
        }
        return whole;
    }

    private <T> T borrowed(
            String how, Function<UnpooledByteBufAllocator, ByteBuf> pieces, Function<ByteBuf, T> parser) {
        UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false, true);
        ByteBuf message = pieces.apply(allocator);
        try {
            return parser.apply(message);
        } finally {
            assertThat(message.refCnt()).as("%s %s: borrowed buffer", name, how).isEqualTo(1);
            message.release();
            assertNothingLeft(allocator, how);
        }
    }

    private <T> T streamed(String how, Supplier<StreamParser<T>> parsers, int step, int end) {
        UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false, true);
        StreamParser<T> parser = parsers.get();
        try {
            for (int from = 0; from < end; from += step) {
                int length = Math.min(step, end - from);
                parser.feed(allocator.heapBuffer(length, length).writeBytes(bytes, from, length));
            }
            return parser.result();
        } finally {
            parser.close();
            assertNothingLeft(allocator, how);
        }
    }

    private void assertNothingLeft(UnpooledByteBufAllocator allocator, String how) {
        assertThat(allocator.metric().usedHeapMemory() + allocator.metric().usedDirectMemory())
                .as("%s %s: bytes in buffers that nobody released", name, how)
                .isZero();
    }

    private ByteBuf whole(UnpooledByteBufAllocator allocator, int end) {
        return allocator.heapBuffer(Math.max(1, end), Math.max(1, end)).writeBytes(bytes, 0, end);
    }

    private ByteBuf twoPieces(UnpooledByteBufAllocator allocator, int cut) {
        ByteBuf first = allocator.heapBuffer(cut, cut).writeBytes(bytes, 0, cut);
        int rest = bytes.length - cut;
        ByteBuf second = allocator.heapBuffer(rest, rest).writeBytes(bytes, cut, rest);
        return allocator.compositeHeapBuffer(2).addComponent(true, first).addComponent(true, second);
    }

    private ByteBuf singleBytes(UnpooledByteBufAllocator allocator) {
        CompositeByteBuf all = allocator.compositeHeapBuffer(Integer.MAX_VALUE);
        for (byte one : bytes) {
            all.addComponent(true, allocator.heapBuffer(1, 1).writeByte(one));
        }
        return all;
    }

    private static byte[] parse(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (String line : text.split("\\R", -1)) {
            parseLine(line, out);
        }
        return out.toByteArray();
    }

    private static void parseLine(String line, ByteArrayOutputStream out) {
        int i = 0;
        while (i < line.length() && line.charAt(i) != '#') {
            char c = line.charAt(i);
            if (Character.isWhitespace(c)) {
                i++;
            } else if (c == '"') {
                int end = line.indexOf('"', i + 1);
                if (end < 0) {
                    throw new IllegalArgumentException("text without an end: " + line);
                }
                out.writeBytes(line.substring(i + 1, end).getBytes(StandardCharsets.UTF_16LE));
                i = end + 1;
            } else {
                if (i + 2 > line.length()) {
                    throw new IllegalArgumentException("half a byte: " + line);
                }
                out.write(Integer.parseInt(line.substring(i, i + 2), 16));
                i += 2;
            }
        }
    }
}
