package dev.comporta.app.service;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;

/**
 * Sends datagrams to a Unix domain socket through the C library of Linux, because the JDK has no class for it. Loading this
 * class takes some ten milliseconds: it is not loaded if there is no socket to send to. Any thread.
 */
@SuppressWarnings("restricted") // calls C; the launcher allows native access
final class UnixDatagram {
    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM = 2;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int CLOCK_MONOTONIC = 1;

    /** The size of {@code sun_path} in {@code sockaddr_un}, which follows the two bytes of {@code sun_family}. */
    private static final int PATH_BYTES = 108;

    private static final int FAMILY_BYTES = Short.BYTES;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CALL_STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private static final MethodHandle SOCKET = function(
            "socket",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    private static final MethodHandle SENDTO = function(
            "sendto",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_INT,
                    ValueLayout.ADDRESS,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_INT,
                    ValueLayout.ADDRESS,
                    ValueLayout.JAVA_INT));
    private static final MethodHandle CLOSE =
            function("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    private static final MethodHandle CLOCK_GETTIME = function(
            "clock_gettime", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));

    private UnixDatagram() {}

    private static MethodHandle function(String name, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name), descriptor, Linker.Option.captureCallState("errno"));
    }

    /**
     * @param address a path, or a name in the abstract namespace with {@code @} before it
     * @throws IOException if the message can't be delivered
     */
    static void send(String address, String message) throws IOException {
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment state = memory.allocate(CALL_STATE);
            byte[] path = address.getBytes(StandardCharsets.UTF_8);
            if (path.length >= PATH_BYTES) {
                throw new IOException("the name of the socket is longer than " + (PATH_BYTES - 1) + " bytes");
            }
            boolean isAbstract = path[0] == '@';
            MemorySegment name = memory.allocate(FAMILY_BYTES + PATH_BYTES, Long.BYTES); // zeros
            name.set(ValueLayout.JAVA_SHORT, 0, (short) AF_UNIX);
            MemorySegment.copy(path, 0, name, ValueLayout.JAVA_BYTE, FAMILY_BYTES, path.length);
            if (isAbstract) {
                name.set(ValueLayout.JAVA_BYTE, FAMILY_BYTES, (byte) 0);
            }
            // The length ends an abstract name; a path ends with a zero.
            int nameLength = FAMILY_BYTES + path.length + (isAbstract ? 0 : 1);
            byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
            MemorySegment data = memory.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
            int descriptor = (int) SOCKET.invokeExact(state, AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
            check(descriptor, "socket", state);
            try {
                long sent = (long) SENDTO.invokeExact(
                        state, descriptor, data, (long) bytes.length, MSG_NOSIGNAL, name, nameLength);
                check(sent, "sendto", state);
            } finally {
                int _ = (int) CLOSE.invokeExact(state, descriptor);
            }
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e); // declared by invokeExact; C throws nothing
        }
    }

    /** The time of the clock that systemd uses, which need not be that of {@link System#nanoTime}. */
    static long monotonicMicros() throws IOException {
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment state = memory.allocate(CALL_STATE);
            MemorySegment time = memory.allocate(2L * Long.BYTES, Long.BYTES);
            int done = (int) CLOCK_GETTIME.invokeExact(state, CLOCK_MONOTONIC, time);
            check(done, "clock_gettime", state);
            return time.get(ValueLayout.JAVA_LONG, 0) * 1_000_000 + time.get(ValueLayout.JAVA_LONG, Long.BYTES) / 1_000;
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static void check(long result, String function, MemorySegment state) throws IOException {
        if (result < 0) {
            throw new IOException(function + " failed with errno " + (int) ERRNO.get(state, 0L));
        }
    }
}
