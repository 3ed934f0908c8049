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
 * A proxy in a process of its own that tells how much memory it uses: what is on the heap after a collection, and all that
 * the kernel counts besides, such as buffers and what a TLS library allocates. Both have what the JVM keeps for itself,
 * which a difference of two measurements leaves out.
 */
final class MeasuredProxy implements AutoCloseable {
    /** @param outside resident memory besides the heap's */
    record Memory(long heap, long outside) {}

    /** Made and touched as a whole at start, so that it is a constant part of what is resident. */
    private static final String HEAP = "384m";

    /** Measurements, half a second apart, before one counts. */
    private static final int ROUNDS = 5;

    /** Netty waits three seconds for a client's last words, and a busy machine does all of it late. */
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
                "-XX:+UseSerialGC", // one whose collection leaves nothing behind
                "-Xms" + HEAP,
                "-Xmx" + HEAP,
                "-XX:+AlwaysPreTouch",
                // What a thread has reserved for its next objects counts as used: megabytes, if the JVM chose the size.
                "-XX:TLABSize=16k",
                "-XX:-ResizeTLAB",
                // So that what the JDK caches does not come and go between measurements, nor what a compiler needs that
                // goes on and on, and is the more of what is resident besides the heap.
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
     * The process itself: writes its port, and for each two numbers that it reads what memory it uses: with so many
     * clients, once its heap is no larger than that.
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
     * Some of what is no longer used is let go of a little later, by event loops and the JVM's own threads; on a busy
     * machine much later. What is never let go of shows all the same, after a wait that has no end but this one.
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
        // What a first collection finds to be cleaned up, a second one collects.
        System.gc();
        System.gc();
        trim();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        return new Memory(heap, resident());
    }

    /** Gives back to the kernel what was allocated outside of the heap and freed: jcmd's System.trim_native_heap. */
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

    /** In bytes; the heap is a constant part of it. */
    private static long resident() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                return 1024 * Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        throw new IOException("/proc/self/status does not tell what is resident");
    }

    int port() {
        return port;
    }

    /** Waits until the proxy has so many clients, and measures then. */
    Memory memory(int clients) throws IOException {
        return memory(clients, Long.MAX_VALUE);
    }

    /** Waits until the proxy has so many clients and no more than this on its heap, or until it is clear that it keeps more. */
    Memory memory(int clients, long heap) throws IOException {
        long[] figures = process.askNumbers(clients + " " + heap);
        return new Memory(figures[0], figures[1]);
    }

    @Override
    public void close() {
        process.process().destroyForcibly(); // it has nothing to end in good order
    }
}
