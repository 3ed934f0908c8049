package dev.comporta.proxy.listen;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Sizes the reads of a connection: small until it has sent its login, since a handler that waits for more keeps the whole
 * buffer; then Netty's adaptive size. For one connection, confined to its loop.
 */
final class LoginReads implements RecvByteBufAllocator {
    /** A login with everything around it takes two or three reads of this size. */
    static final int PIECE = 2048;

    private static final RecvByteBufAllocator LATER = new AdaptiveRecvByteBufAllocator();

    private boolean small = true;

    void ofAnySize() {
        small = false;
    }

    @Override
    public ExtendedHandle newHandle() {
        return new Reads((ExtendedHandle) LATER.newHandle());
    }

    private final class Reads extends DelegatingHandle implements ExtendedHandle {
        private final ExtendedHandle later;

        Reads(ExtendedHandle later) {
            super(later);
            this.later = later;
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            return small ? allocator.ioBuffer(PIECE) : later.allocate(allocator);
        }

        @Override
        public int guess() {
            return small ? PIECE : later.guess();
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
            return later.continueReading(maybeMoreData);
        }
    }
}
