package dev.comporta.bench.start;

import dev.comporta.bench.load.Peers;
import dev.comporta.testkit.KeyFiles;
import dev.comporta.tls.SelfSignedCertificate;
import dev.comporta.tls.TlsContexts;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * Measures the time from the start of {@code bin/comporta run} of an unpacked distribution until its port accepts a client
 * and answers PRELOGIN: with one bucket and with 120, with a certificate from files and a self-signed one, with the AOT cache
 * and without. Then until a client has finished a TLS handshake, which needs the key. The buckets name no account, so no
 * server connection is opened before the first client.
 */
public final class StartBenchmark {
    private static final int RUNS = 9;
    private static final int BUCKETS = 120;
    private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(2);

    /** The pause between two attempts to connect: short enough for the measurement, long enough not to affect it. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** PRELOGIN with VERSION and ENCRYPTION (not supported): two options, the terminator, and the options' data. */
    private static final byte[] PRELOGIN = HexFormat.of()
            .parseHex(
                    "1201001A00000100" // the packet's header
                            + "00000B0006" // VERSION: 6 bytes at 11
                            + "0100110001" // ENCRYPTION: 1 byte at 17
                            + "FF"
                            + "100000000000"
                            + "02");

    private static final int RESPONSE = 4;

    /**
     * @param millis milliseconds until PRELOGIN is answered
     * @param tlsMillis milliseconds until a TLS handshake is finished
     * @param cpuMillis user and system time of all threads until PRELOGIN is answered, in the kernel's ticks of 10 ms
     */
    private record Start(double millis, double tlsMillis, long cpuMillis) {}

    private StartBenchmark() {}

    /** @param args the unpacked distribution, and the number of starts of each kind */
    public static void main(String[] args) throws IOException, InterruptedException, GeneralSecurityException {
        Path home = Path.of(args[0]).toAbsolutePath();
        int runs = args.length > 1 ? Integer.parseInt(args[1]) : RUNS;
        System.out.printf("load of the machine before: %s%n", load());
        System.out.println(
                "                                      median ms     min ms     max ms     TLS ms     CPU ms");
        SelfSignedCertificate certificate = SelfSignedCertificate.generate("bench", List.of("localhost"));
        for (int buckets : new int[] {1, BUCKETS}) {
            Path work = configuration(buckets);
            KeyFiles files = KeyFiles.write(work, "bench", certificate);
            String fromFiles = ", tls: {certificate: %s, private_key: %s}".formatted(files.certificate(), files.key());
            String name = buckets == 1 ? "1 bucket" : buckets + " buckets";
            report(name, home, work, fromFiles, "", runs);
            report(name + ", makes its certificate", home, work, "", "", runs);
            report(name + ", no AOT cache", home, work, fromFiles, "-XX:AOTMode=off", runs);
        }
        System.out.printf("load of the machine after: %s%n", load());
    }

    private static String load() throws IOException {
        String[] fields = Files.readString(Path.of("/proc/loadavg")).split(" ", -1);
        return fields[0] + " on " + Runtime.getRuntime().availableProcessors() + " processors";
    }

    private static Path configuration(int buckets) throws IOException {
        Path work = Files.createTempDirectory("comporta-start");
        StringBuilder yaml = new StringBuilder(
                "defaults: {host: 127.0.0.1, port: 9, max_connections: 50, trust_server_certificate: true}\nbuckets:\n");
        for (int i = 1; i <= buckets; i++) {
            yaml.append("  - {id: bucket-%d, database: AppDB_%d}%n".formatted(i, i));
        }
        Files.writeString(work.resolve("buckets.yaml"), yaml);
        return work;
    }

    private static void report(String name, Path home, Path work, String tls, String options, int runs)
            throws IOException, InterruptedException, GeneralSecurityException {
        List<Start> starts = new ArrayList<>();
        start(home, work, tls, options); // not measured: it loads the files into the page cache, as after a restart
        for (int i = 0; i < runs; i++) {
            starts.add(start(home, work, tls, options));
        }
        double[] millis = starts.stream().mapToDouble(Start::millis).sorted().toArray();
        double[] tlsMillis =
                starts.stream().mapToDouble(Start::tlsMillis).sorted().toArray();
        long[] cpu = starts.stream().mapToLong(Start::cpuMillis).sorted().toArray();
        System.out.printf(
                Locale.ROOT,
                "%-36s %10.0f %10.0f %10.0f %10.0f %10d%n",
                name,
                millis[runs / 2],
                millis[0],
                millis[runs - 1],
                tlsMillis[runs / 2],
                cpu[runs / 2]);
    }

    private static Start start(Path home, Path work, String tls, String options)
            throws IOException, InterruptedException, GeneralSecurityException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Files.writeString(
                work.resolve("proxy.yaml"),
                "proxy: {listen_addr: 127.0.0.1, listen_port: %d, health_check_port: 0, metrics_port: 0%s}%n"
                        .formatted(port, tls));
        ProcessBuilder command = new ProcessBuilder(home.resolve("bin/comporta").toString(), "run");
        command.directory(work.toFile());
        command.environment().put("COMPORTA_OPTS", options);
        command.redirectOutput(Redirect.DISCARD)
                .redirectError(work.resolve("log").toFile());
        long begun = System.nanoTime();
        Process process = command.start();
        try {
            while (!answers(port)) {
                if (!process.isAlive() || System.nanoTime() - begun > LIMIT_NANOS) {
                    throw new IOException("it did not start: " + Files.readString(work.resolve("log")));
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            double millis = (System.nanoTime() - begun) / 1e6;
            long cpu = Peers.cpuNanos(process) / 1_000_000;
            shakeHands(port);
            return new Start(millis, (System.nanoTime() - begun) / 1e6, cpu);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static boolean answers(int port) throws IOException {
        try (Socket client = new Socket()) {
            client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            client.getOutputStream().write(PRELOGIN);
            int type = new DataInputStream(client.getInputStream()).readUnsignedByte();
            if (type != RESPONSE) {
                throw new IOException("PRELOGIN was answered by a packet of type " + type);
            }
            return true;
        } catch (ConnectException notYet) {
            return false;
        }
    }

    /** Starts TLS as a client of TDS 8.0 does. */
    private static void shakeHands(int port) throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        try (SSLSocket client =
                (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
            SSLParameters parameters = client.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {TlsContexts.ALPN});
            client.setSSLParameters(parameters);
            client.startHandshake();
        }
    }
}
