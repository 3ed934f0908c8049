package dev.comporta.bench.load;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** One of several parts that are measured in turns: its clients, which are idle in the others' turns, and its measurements. */
final class Contender {
    /** The load before each turn is measured, which replaces the other parts' data in the processor's caches. */
    private static final int WARM_UP_MILLIS = 300;

    private final String name;
    private final @Nullable Process measured;
    private final LoadClient.Run run;
    private final List<Channel> clients = new ArrayList<>();

    private final List<Double> rates = new ArrayList<>();
    private final List<Double> cpuMicros = new ArrayList<>();
    private final Histogram nanos = new Histogram(3);

    /** @param measured the process whose CPU time is counted; null for none */
    Contender(String name, @Nullable Process measured, int port, LoadClient.Run run, EventLoopGroup loops)
            throws InterruptedException {
        this.name = name;
        this.measured = measured;
        this.run = run;
        for (int i = 0; i < run.clients(); i++) {
            clients.add(LoadClient.connect(loops, Sockets.best(), port, run));
        }
        if (!run.loggedIn.await(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException(run.loggedIn.getCount() + " clients of " + name + " could not log in");
        }
    }

    String name() {
        return name;
    }

    /** Its clients send requests for this time, and are idle again when this returns. Nothing is counted. */
    void warmUp(long millis) throws InterruptedException {
        begin();
        TimeUnit.MILLISECONDS.sleep(millis);
        end();
    }

    void turn(long millis) throws InterruptedException, IOException {
        begin();
        TimeUnit.MILLISECONDS.sleep(WARM_UP_MILLIS);
        run.answers.reset();
        run.nanos.reset();
        long cpuBefore = cpu();
        long before = System.nanoTime();
        run.measuring = true;
        TimeUnit.MILLISECONDS.sleep(millis);
        run.measuring = false;
        long passed = System.nanoTime() - before;
        long cpu = cpu() - cpuBefore;
        end();
        long answers = run.answers.sum();
        rates.add(answers * 1e9 / passed);
        cpuMicros.add(cpu / 1e3 / answers);
        nanos.add(run.nanos);
    }

    private void begin() {
        run.asking = true;
        clients.forEach(LoadClient::begin);
    }

    private void end() throws InterruptedException {
        run.asking = false;
        while (!run.isAtRest()) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private long cpu() throws IOException {
        return measured == null ? 0 : Peers.cpuNanos(measured);
    }

    /** Requests per second of each turn. */
    List<Double> rates() {
        return rates;
    }

    /** CPU time per request of each turn; zeros if no process is measured. */
    List<Double> cpuMicros() {
        return cpuMicros;
    }

    boolean countsCpu() {
        return measured != null;
    }

    double micros(double percentile) {
        return nanos.getValueAtPercentile(percentile) / 1e3;
    }

    long errors() {
        return run.errors.sum();
    }

    void leave() {
        clients.forEach(client -> client.close().syncUninterruptibly());
    }
}
