package dev.comporta.tds.packet;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages as packets. Bytes are written where they will be sent from: each header is left blank and filled in
 * when its packet is full, and packets go to the {@link PacketSink} several at a time, so that a response of any size
 * holds no more than one chunk in memory.
 *
 * <p>Every packet but the last is of the full size, as a server demands of its clients, unless {@link #flush} is called.
 * One thread at a time; a writer serves one connection, message after message.
 */
public final class MessageWriter {
    /** Enough packets for one write to the socket to be worth its system call, and few enough to stay in cache. */
    private static final int CHUNK_BYTES = 32 * 1024;

    /** Most messages are a few dozen bytes: a chunk grows from here. */
    private static final int INITIAL_BYTES = 512;

    private final ByteBufAllocator allocator;
    private final PacketSink sink;

    private int packetSize = PacketHeader.DEFAULT_PACKET_SIZE;
    private int nextPacketSize = PacketHeader.DEFAULT_PACKET_SIZE;
    private int spid;

    /** Whole packets and the one being written; null between messages. */
    private @Nullable ByteBuf chunk;

    private int packetStart;
    private int type;
    private int firstStatus;
    private int packetId;

    public MessageWriter(ByteBufAllocator allocator, PacketSink sink) {
        this.allocator = allocator;
        this.sink = sink;
    }

    /** Sets the packet size from the next message on. */
    public void packetSize(int size) {
        if (size < PacketHeader.MIN_PACKET_SIZE || size > PacketHeader.MAX_PACKET_SIZE) {
            throw new IllegalArgumentException("packet size " + size);
        }
        nextPacketSize = size;
    }

    /** The session's number, which a server puts in every header; clients leave it 0. */
    public void spid(int spid) {
        this.spid = spid;
    }

    /** Begins a message of a {@link PacketType}. */
    public MessageWriter begin(int type) {
        return begin(type, 0);
    }

    /**
     * Begins a message whose first packet carries {@code firstStatus}:
     * {@link PacketHeader#STATUS_RESETCONNECTION}, {@link PacketHeader#STATUS_RESETCONNECTIONSKIPTRAN} or 0.
     */
    public MessageWriter begin(int type, int firstStatus) {
        if (chunk != null) {
            throw new IllegalStateException("the message before is not ended");
        }
        this.type = type;
        this.firstStatus = firstStatus;
        packetSize = nextPacketSize;
        packetId = 0;
        chunk = newChunk();
        openPacket(chunk);
        return this;
    }

    /** Ends the message and sends the rest of it. A message without a body is a header alone. */
    public void end() {
        end(PacketHeader.STATUS_EOM);
    }

    /** Ends a message that the sender cancelled half-way: the peer must not execute it. */
    public void endIgnored() {
        end(PacketHeader.STATUS_EOM | PacketHeader.STATUS_IGNORE);
    }

    private void end(int status) {
        ByteBuf last = inMessage();
        closePacket(last, status);
        chunk = null;
        sink.send(last, true);
    }

    /** Discards what has not been sent to the sink. Does nothing between messages. */
    public void discard() {
        if (chunk != null) {
            chunk.release();
            chunk = null;
        }
    }

    /**
     * Sends everything written so far, in a last packet that may be short. For servers only: in a request, only the last
     * packet of the message may be shorter than the packet size.
     */
    public void flush() {
        ByteBuf current = inMessage();
        if (current.writerIndex() == packetStart + PacketHeader.LENGTH) {
            return; // nothing since the message began, or since it was flushed
        }
        closePacket(current, 0);
        chunk = null;
        sink.send(current, false);
        ByteBuf next = newChunk();
        chunk = next;
        openPacket(next);
    }

    public MessageWriter writeByte(int value) {
        room().writeByte(value);
        return this;
    }

    public MessageWriter writeShortLE(int value) {
        if (left() >= Short.BYTES) {
            inMessage().writeShortLE(value);
        } else {
            writeByte(value).writeByte(value >>> 8);
        }
        return this;
    }

    public MessageWriter writeIntLE(int value) {
        if (left() >= Integer.BYTES) {
            inMessage().writeIntLE(value);
        } else {
            writeShortLE(value).writeShortLE(value >>> 16);
        }
        return this;
    }

    public MessageWriter writeBytes(byte[] source) {
        return writeBytes(source, 0, source.length);
    }

    public MessageWriter writeBytes(byte[] source, int offset, int length) {
        int from = offset;
        int end = offset + length;
        while (from < end) {
            ByteBuf to = room();
            int part = Math.min(left(), end - from);
            to.writeBytes(source, from, part);
            from += part;
        }
        return this;
    }

    /** Borrows {@code source}, and reads all of it. */
    public MessageWriter writeBytes(ByteBuf source) {
        while (source.isReadable()) {
            ByteBuf to = room();
            to.writeBytes(source, Math.min(left(), source.readableBytes()));
        }
        return this;
    }

    /** UTF-16LE without a length. */
    public MessageWriter writeText(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            writeShortLE(text.charAt(i));
        }
        return this;
    }

    /** Bytes that still fit in the open packet. */
    private int left() {
        return packetSize - (inMessage().writerIndex() - packetStart);
    }

    /** The chunk, with room for at least one byte in its open packet. */
    private ByteBuf room() {
        if (left() == 0) {
            nextPacket();
        }
        return inMessage();
    }

    /**
     * A full packet is closed only when there is more to write, because the last one of a message, full or not, has to
     * say that it is the last.
     */
    private void nextPacket() {
        ByteBuf current = inMessage();
        closePacket(current, 0);
        if (current.writerIndex() + packetSize > capacity()) {
            chunk = null;
            sink.send(current, false);
            current = newChunk();
            chunk = current;
        }
        openPacket(current);
    }

    private void openPacket(ByteBuf current) {
        packetStart = current.writerIndex();
        packetId++;
        current.writeByte(type).writeByte(firstStatus).writeShort(0);
        firstStatus = 0;
        current.writeShort(spid).writeByte(packetId).writeByte(0);
    }

    private void closePacket(ByteBuf current, int status) {
        int at = packetStart + PacketHeader.STATUS_OFFSET;
        current.setByte(at, current.getByte(at) | status);
        current.setShort(packetStart + PacketHeader.LENGTH_OFFSET, current.writerIndex() - packetStart);
    }

    private ByteBuf newChunk() {
        return allocator.ioBuffer(Math.min(INITIAL_BYTES, capacity()), capacity());
    }

    private int capacity() {
        return Math.max(1, CHUNK_BYTES / packetSize) * packetSize;
    }

    private ByteBuf inMessage() {
        if (chunk == null) {
            throw new IllegalStateException("no message has been begun");
        }
        return chunk;
    }
}
