package dev.comporta.e2e.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.e2e.live.LiveFleet.Bucket;
import dev.comporta.testkit.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Takes the pictures of documents that show charts: after a quarter of an hour, when they are full. Not part of the suite,
 * because of that time; CONTRIBUTING.md says how to run it. {@code -Dcomporta.screenshots.minutes=1} for a hasty look.
 */
@Timeout(1800)
class LivePagePictures {
    private static final Duration LOAD = Duration.ofMinutes(Integer.getInteger("comporta.screenshots.minutes", 15));

    /** Between two crests of the load. */
    private static final double WAVE_NANOS = Duration.ofMinutes(5).toNanos();

    private static final List<String> APPLICATIONS = List.of("orders-api", "ledger", "reports", "checkout", "search");

    private record Client(LiveFleet fleet, String bucket, int number) implements Runnable {
        @Override
        public void run() {
            try (Connection connection = fleet.connect(bucket, APPLICATIONS.get(number % APPLICATIONS.size()))) {
                while (!Thread.currentThread().isInterrupted()) {
                    work(connection);
                    pause();
                }
            } catch (SQLException | InterruptedException over) {
                // The fleet is closed: the pictures are taken.
            }
        }

        private void work(Connection connection) throws SQLException, InterruptedException {
            int kind = ThreadLocalRandom.current().nextInt(12);
            if (kind < 8) {
                Jdbc.ask(connection, "SELECT 1");
            } else if (kind < 11) {
                Jdbc.run(connection, "BEGIN TRANSACTION");
                Jdbc.ask(connection, "SELECT 2");
                Thread.sleep(ThreadLocalRandom.current().nextInt(20, 220));
                Jdbc.run(connection, "COMMIT");
            } else {
                // A temporary table pins until its client leaves.
                try (Connection brief = fleet.connect(bucket, "etl")) {
                    Jdbc.run(brief, "SELECT 1 AS a INTO #work");
                    Thread.sleep(ThreadLocalRandom.current().nextInt(10, 120));
                }
            }
        }

        /** Longer and shorter in turns, so that there is something to see. */
        private void pause() throws InterruptedException {
            double wave = 1.2 + Math.sin(2 * Math.PI * (System.nanoTime() / WAVE_NANOS + number / 40.0));
            Thread.sleep((long) (wave * ThreadLocalRandom.current().nextInt(50, 900)));
        }
    }

    @Test
    void picturesOfThreeBucketsUnderLoad() throws Exception {
        try (LiveFleet fleet =
                        LiveFleet.start(List.of(Bucket.of("lisboa", 6), Bucket.of("porto", 4), Bucket.of("faro", 2)));
                Chromium chromium = Chromium.start();
                Tab tab = chromium.open(fleet, 1440, 480, false).go("")) {
            start(fleet, "lisboa", 24);
            start(fleet, "porto", 14);
            start(fleet, "faro", 22); // more than two server connections serve at once
            Awaitility.await()
                    .pollInterval(Duration.ofSeconds(5))
                    .atMost(LOAD.plusMinutes(5))
                    .until(() -> fleet.instance().recent().history("faro").size() >= LOAD.toSeconds() / 5);
            tab.await("() => document.querySelector('#grid a[data-state=queued]')");
            tab.picture("live-page.png");
            tab.press("t");
            tab.picture("live-page-dark.png");
            tab.press("t");
            tab.page().setViewportSize(1440, 1180);
            tab.go("#/bucket/lisboa");
            tab.awaitText("[aria-labelledby='panel-pools'] tbody", "sa");
            tab.await("() => Chart.getChart(document.querySelector('canvas')).data.datasets[0].data.length > 1");
            tab.await(
                    "() => document.querySelectorAll(\"[aria-labelledby='panel-longest-pins-and-transactions'] tr\").length > 2");
            tab.picture("live-page-bucket.png");
            assertThat(tab.errors()).isEmpty();
        }
    }

    private static void start(LiveFleet fleet, String bucket, int clients) {
        for (int i = 0; i < clients; i++) {
            Thread.ofVirtual().start(new Client(fleet, bucket, i));
        }
    }
}
