package dev.comporta.bench.load;

import dev.comporta.tds.login.Secret;
import dev.comporta.testkit.RawClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * A process that polls an instance as people and monitoring do: each poller queries the clients through the console (TDS) and
 * the admin API, scrapes the metrics, checks the health, and pauses. Commands on its standard input start and stop it; it
 * answers each with the number of polls, and {@link #TIMES} with the durations of the answers.
 */
final class Pollers {
    static final String USER = "ops";
    static final String PASSWORD = "Bench-1";
    static final String TOKEN = "a-token-for-the-benchmark";
    static final String WARM_UP = "warm up";
    static final String BEGIN = "begin";
    static final String STOP = "stop";
    static final String TIMES = "times";

    /** Lists all clients of the instance, which is the most work for an event loop. */
    private static final String QUESTION = "SELECT * FROM sys.clients";

    /** The requests of a poll. */
    private enum Part {
        CONSOLE("SELECT over TDS"),
        API("/api/v1/clients"),
        METRICS("/metrics"),
        HEALTH("/health");

        final String shown;

        Part(String shown) {
            this.shown = shown;
        }
    }

    /** The pause between a poller's polls during warm-up: code is compiled after ten thousand runs. */
    private static final Duration HURRY = Duration.ofMillis(20);

    private static final LongAdder answers = new LongAdder();
    private static final Map<Part, Histogram> times = new EnumMap<>(Part.class);
    private static volatile String order = STOP;

    private Pollers() {}

    /**
     * @param args the ports of the console, the metrics and the API, the number of pollers, the milliseconds between two
     *     polls of one, and whether they poll at the same moments
     */
    public static void main(String[] args) throws IOException {
        for (Part part : Part.values()) {
            times.put(part, new ConcurrentHistogram(3));
        }
        int pollers = Integer.parseInt(args[3]);
        int pauseMillis = Integer.parseInt(args[4]);
        for (int i = 0; i < pollers; i++) {
            int offset = Boolean.parseBoolean(args[5]) ? 0 : i * pauseMillis / pollers;
            Thread.ofPlatform().daemon().start(() -> {
                try {
                    poll(args, pauseMillis, offset);
                } catch (IOException | InterruptedException e) {
                    e.printStackTrace();
                    System.exit(1); // with fewer pollers the figures would be wrong
                }
            });
        }
        try (BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String given = orders.readLine(); given != null; given = orders.readLine()) {
                if (given.equals(TIMES)) {
                    System.out.println(times());
                } else {
                    order = given;
                    System.out.println("polls " + answers.sumThenReset());
                }
            }
        }
    }

    private static void poll(String[] args, int pauseMillis, int offsetMillis)
            throws IOException, InterruptedException {
        HttpRequest metrics = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + args[1] + "/metrics"))
                .build();
        HttpRequest health = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + args[2] + "/health"))
                .build();
        HttpRequest api = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + args[2] + "/api/v1/clients"))
                .header("Authorization", "Bearer " + TOKEN)
                .build();
        try (RawClient console = new RawClient(Integer.parseInt(args[0]));
                HttpClient http = HttpClient.newHttpClient()) {
            console.sendLogin(login ->
                    login.userName(USER).password(Secret.ofText(PASSWORD)).database("comporta"));
            console.response().release();
            long pause = TimeUnit.MILLISECONDS.toNanos(pauseMillis);
            // At fixed times and not with pauses, so that the pollers stay at the same distance from each other.
            long next = (System.nanoTime() / pause + 1) * pause + TimeUnit.MILLISECONDS.toNanos(offsetMillis);
            while (true) {
                TimeUnit.NANOSECONDS.sleep(
                        order.equals(WARM_UP) ? HURRY.toNanos() : Math.min(pause, next - System.nanoTime()));
                if (next - System.nanoTime() <= 0) {
                    next = Math.max(next + pause, System.nanoTime());
                } else if (!order.equals(WARM_UP)) {
                    continue;
                }
                if (!order.equals(STOP)) {
                    long begun = System.nanoTime();
                    console.sendBatch(QUESTION);
                    console.response().release();
                    took(Part.CONSOLE, begun);
                    ask(http, api, Part.API);
                    ask(http, metrics, Part.METRICS);
                    ask(http, health, Part.HEALTH);
                    answers.increment();
                }
            }
        }
    }

    private static void ask(HttpClient http, HttpRequest request, Part part) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        int status = http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        if (status != 200) {
            throw new IOException(part.shown + " answers " + status);
        }
        took(part, begun);
    }

    private static void took(Part part, long begun) {
        Objects.requireNonNull(times.get(part)).recordValue(System.nanoTime() - begun);
    }

    /** The durations since the last call. */
    private static String times() {
        StringBuilder text = new StringBuilder();
        times.forEach((part, nanos) -> {
            text.append("%s%s %.1f / %.1f ms"
                    .formatted(
                            text.isEmpty() ? "" : ", ",
                            part.shown,
                            nanos.getValueAtPercentile(50) / 1e6,
                            nanos.getValueAtPercentile(99) / 1e6));
            nanos.reset();
        });
        return text.toString();
    }
}
