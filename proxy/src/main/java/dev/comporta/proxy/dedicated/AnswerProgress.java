package dev.comporta.proxy.dedicated;

import dev.comporta.tds.packet.PacketHeader;
import io.netty.buffer.ByteBuf;

/**
 * Follows the packet headers of a server whose bytes are relayed unread, to know whether a message has been sent in part.
 * Starts between two messages. Not for MARS, whose frames are another protocol's.
 */
final class AnswerProgress {
    private static final int STATUS_AT = 1;
    private static final int LENGTH_AT = 2;

    /** Bytes received of the present packet's header. */
    private int headerBytes;

    private int status;
    private int length;
    /** Bytes of the present packet's body that are still to come. */
    private int bytesLeft;

    private boolean complete = true;

    /** Whether the server's last message is complete. */
    boolean isComplete() {
        return complete;
    }

    /** Borrows the next bytes from the server. */
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
