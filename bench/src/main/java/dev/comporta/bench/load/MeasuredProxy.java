package dev.comporta.bench.load;

import dev.comporta.proxy.Proxy;
import dev.comporta.proxy.listen.Transport;
import dev.comporta.proxy.login.ClientTls;
import dev.comporta.tds.login.Encryption;
import dev.comporta.tls.SelfSignedCertificate;
import dev.comporta.tls.TlsContexts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * A proxy in a separate process that reports its memory: the heap after a collection, and the rest of the resident memory,
 * such as buffers and allocations of a TLS library. Both include the JVM's own memory, which the difference of two
 * measurements leaves out.
 */
final class MeasuredProxy implements AutoCloseable {
    /** @param outside resident memory outside of the heap */
    record Memory(long heap, long outside) {}

    /** The heap size. All of it is touched at start, so that it is a constant part of the resident memory. */
    private static final String HEAP = "384m";

    /** Measurements, half a second apart, before one counts. */
    private static final int ROUNDS = 5;

    /** Netty waits up to three seconds for a client's close_notify, and a busy machine takes longer for everything. */
    private static final int MOST_ROUNDS = 60;

    private final AnsweringProcess process;
    private final int port;

    private MeasuredProxy(AnsweringProcess process) throws IOException {
        this.process = process;
        port = Integer.parseInt(process.answer());
    }

    static MeasuredProxy start(int serverPort, int limit) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:+UseCompactObjectHeaders", // as ./comporta runs it
                "-XX:+UseSerialGC", // a collection of which leaves no garbage
                "-Xms" + HEAP,
                "-Xmx" + HEAP,
                "-XX:+AlwaysPreTouch",
                // A thread's allocation buffer counts as used memory: megabytes, if the JVM chose the size.
                "-XX:TLABSize=16k",
                "-XX:-ResizeTLAB",
                // Keeps the JDK's soft caches and the compiler's memory from changing between measurements. The latter
                // is the larger part of the memory outside of the heap.
                "-XX:SoftRefLRUPolicyMSPerMB=0",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                MeasuredProxy.class.getName(),
                Integer.toString(serverPort),
                Integer.toString(limit));
        return new MeasuredProxy(AnsweringProcess.start(command));
    }

    /**
     * The process: writes its port, and for each line with a number of clients and a heap size its memory, once it has that
     * number of clients and its heap is no larger.
     */
    public static void main(String[] args) throws IOException, GeneralSecurityException, InterruptedException {
        SelfSignedCertificate certificate = SelfSignedCertificate.generate("bench", List.of("127.0.0.1"));
        ClientTls tls = new ClientTls(
                Encryption.Policy.OPTIONAL, TlsContexts.server(certificate.key(), certificate.certificate()));
        try (Proxy proxy = BenchProxy.start(
                        Transport.best(), 0, tls, Integer.parseInt(args[0]), Integer.parseInt(args[1]));
                BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println(AnsweringProcess.ANSWER + proxy.port());
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                String[] numbers = order.split(" ", -1);
                Memory memory = settled(proxy, Integer.parseInt(numbers[0]), Long.parseLong(numbers[1]));
                System.out.println(AnsweringProcess.ANSWER + memory.heap() + " " + memory.outside());
            }
        }
    }

    /**
     * Event loops and the JVM's threads free some memory a little later; on a busy machine much later. A leak shows after the
     * maximum number of rounds.
     */
    private static Memory settled(Proxy proxy, int clients, long heap) throws IOException, InterruptedException {
        while (proxy.glance("bench").clients() != clients) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        Memory memory = used();
        for (int i = 0; i < (memory.heap() > heap ? MOST_ROUNDS : ROUNDS); i++) {
            TimeUnit.MILLISECONDS.sleep(500);
            memory = used();
        }
        return memory;
    }

    private static Memory used() throws IOException {
        // A second collection frees objects whose cleaners the first one has triggered.
        System.gc();
        System.gc();
        trim();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        return new Memory(heap, resident());
    }

    /** Returns freed memory outside of the heap to the kernel: jcmd's System.trim_native_heap. */
    private static void trim() throws IOException {
        try {
            ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "systemTrimNativeHeap",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
        } catch (JMException e) {
            throw new IOException("this JVM can't trim its memory", e);
        }
    }

    /** The resident memory in bytes; the heap is a constant part of it. */
    private static long resident() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                return 1024 * Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        throw new IOException("/proc/self/status does not have the resident memory");
    }

    int port() {
        return port;
    }

    /** Waits until the proxy has this number of clients, and then measures. */
    Memory memory(int clients) throws IOException {
        return memory(clients, Long.MAX_VALUE);
    }

    /** Waits until the proxy has this number of clients and at most this heap, or until it clearly keeps more. */
    Memory memory(int clients, long heap) throws IOException {
        long[] figures = process.askNumbers(clients + " " + heap);
        return new Memory(figures[0], figures[1]);
    }

    @Override
    public void close() {
        process.process().destroyForcibly(); // an orderly shutdown is not needed
    }
}
