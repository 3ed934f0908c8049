package dev.comporta.bench.load;

import dev.comporta.tds.login.Secret;
import dev.comporta.testkit.RawClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * A process of people and programs that look at an instance: each asks the console for its clients, by TDS, then scrapes its
 * metrics, then pauses. It begins and stops as its standard input says, and answers each time with how often it has asked.
 */
final class Pollers {
    static final String USER = "ops";
    static final String PASSWORD = "Bench-1";
    static final String BEGIN = "begin";
    static final String STOP = "stop";

    /** Lists each client of the instance, which is the most that a loop is asked to tell. */
    private static final String QUESTION = "SELECT * FROM sys.clients";

    private static final int READ_MILLIS = 100;

    private static final LongAdder answers = new LongAdder();
    private static volatile boolean polling;

    private Pollers() {}

    /**
     * @param args the port of the console, that of the metrics, how many, and the milliseconds between two polls of one; with
     *     0 they are open live pages instead, and the second port is that of the page
     */
    public static void main(String[] args) throws IOException {
        int pollers = Integer.parseInt(args[2]);
        int pauseMillis = Integer.parseInt(args[3]);
        for (int i = 0; i < pollers; i++) {
            Thread.ofPlatform().daemon().start(() -> {
                try {
                    if (pauseMillis == 0) {
                        watch(Integer.parseInt(args[1]));
                    } else {
                        poll(Integer.parseInt(args[0]), Integer.parseInt(args[1]), pauseMillis);
                    }
                } catch (IOException | InterruptedException e) {
                    e.printStackTrace();
                    System.exit(1); // fewer pollers than said would make the figures false
                }
            });
        }
        try (BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                polling = order.equals(BEGIN);
                System.out.println("polls " + answers.sumThenReset());
            }
        }
    }

    /** Has a page open whenever it is told to: the view of a bucket, which is sent the most. */
    private static void watch(int port) throws IOException, InterruptedException {
        byte[] request = ("GET /live/stream?bucket=" + PollersBenchmark.BUCKET + " HTTP/1.1\r\nHost: here\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        byte[] read = new byte[1 << 16];
        while (true) {
            if (!polling) {
                TimeUnit.MILLISECONDS.sleep(READ_MILLIS);
                continue;
            }
            try (Socket page = new Socket(InetAddress.getLoopbackAddress(), port)) {
                page.setSoTimeout(READ_MILLIS);
                page.getOutputStream().write(request);
                while (polling) {
                    try {
                        if (page.getInputStream().read(read) < 0) {
                            throw new IOException("the stream has ended");
                        }
                        answers.increment();
                    } catch (SocketTimeoutException nothingNew) {
                        // Messages come every two seconds.
                    }
                }
            }
        }
    }

    private static void poll(int consolePort, int metricsPort, int pauseMillis)
            throws IOException, InterruptedException {
        HttpRequest metrics = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + metricsPort + "/metrics"))
                .build();
        try (RawClient console = new RawClient(consolePort);
                HttpClient http = HttpClient.newHttpClient()) {
            console.sendLogin(login ->
                    login.userName(USER).password(Secret.ofText(PASSWORD)).database("comporta"));
            console.response().release();
            while (true) {
                TimeUnit.MILLISECONDS.sleep(pauseMillis);
                if (polling) {
                    console.sendBatch(QUESTION);
                    console.response().release();
                    int status = http.send(metrics, HttpResponse.BodyHandlers.discarding())
                            .statusCode();
                    if (status != 200) {
                        throw new IOException("/metrics answers " + status);
                    }
                    answers.increment();
                }
            }
        }
    }
}
