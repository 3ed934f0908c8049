package dev.comporta.proxy.dedicated;

import dev.comporta.tds.packet.PacketHeader;
import io.netty.buffer.ByteBuf;

/**
 * Follows the packet headers of a server whose bytes are relayed unread: tells whether a message was sent in part. Begins
 * between two messages. Not for MARS, whose frames are another protocol's.
 */
final class AnswerProgress {
    private static final int STATUS_AT = 1;
    private static final int LENGTH_AT = 2;

    /** Of the header that is being read. */
    private int headerBytes;

    private int status;
    private int length;
    /** Of the packet's body. */
    private int bytesLeft;

    private boolean complete = true;

    /** Whether the server has ended what it began to say. */
    boolean isComplete() {
        return complete;
    }

    /** Borrows the bytes that come next. */
    void passed(ByteBuf bytes) {
        int at = bytes.readerIndex();
        int end = bytes.writerIndex();
        while (at < end) {
            if (bytesLeft > 0) {
                int body = Math.min(bytesLeft, end - at);
                at += body;
                bytesLeft -= body;
            } else {
                header(bytes.getUnsignedByte(at++));
            }
            complete = bytesLeft == 0 && headerBytes == 0 && (status & PacketHeader.STATUS_EOM) != 0;
        }
    }

    private void header(int next) {
        switch (headerBytes++) {
            case STATUS_AT -> status = next;
            case LENGTH_AT -> length = next << 8;
            case LENGTH_AT + 1 -> length |= next;
            case PacketHeader.LENGTH - 1 -> {
                headerBytes = 0;
                bytesLeft = Math.max(0, length - PacketHeader.LENGTH);
            }
            default -> {}
        }
    }
}
