package dev.comporta.bench.load;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** One of those that are measured in turns: its clients, which rest while it is another's turn, and what was measured. */
final class Contender {
    /** Before each turn, with its clients asking: what others left in the caches is gone then. */
    private static final int WARM_UP_MILLIS = 300;

    private final String name;
    private final @Nullable Process measured;
    private final LoadClient.Run run;
    private final List<Channel> clients = new ArrayList<>();

    private final List<Double> rates = new ArrayList<>();
    private final List<Double> cpuMicros = new ArrayList<>();
    private final Histogram nanos = new Histogram(3);

    /** @param measured whose CPU time is counted; null for nobody's */
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

    /** Its clients ask for so long, and rest again when this returns. Nothing is counted. */
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

    /** Of each turn, in requests per second. */
    List<Double> rates() {
        return rates;
    }

    /** Of each turn, per request; zeros where nobody's are counted. */
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
