package dev.comporta.jdbc;

import dev.comporta.jdbc.config.Setting;
import dev.comporta.jdbc.config.Settings;
import dev.comporta.jdbc.handle.LeakWatch;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/** Watches loans by a timer of its own, so that a log appender that blocks delays nothing else. Thread-safe. */
final class LeakAlarm {
    private final ScheduledThreadPoolExecutor timer;
    private final LeakWatch watch;

    private LeakAlarm(String pool, Duration threshold) {
        timer = new ScheduledThreadPoolExecutor(
                1,
                Thread.ofVirtual().name("comporta-leaks-" + pool).factory(),
                new ThreadPoolExecutor.DiscardPolicy()); // a loan that begins after the alarm's end is not watched
        timer.setRemoveOnCancelPolicy(true);
        watch = new LeakWatch(pool, threshold, timer);
    }

    /** Null if {@code leakDetectionThreshold} is 0. */
    static @Nullable LeakAlarm of(String pool, Settings settings) {
        Duration threshold = settings.time(Setting.LEAK_DETECTION_THRESHOLD);
        return threshold.isZero() ? null : new LeakAlarm(pool, threshold);
    }

    static @Nullable LeakWatch watchOf(@Nullable LeakAlarm alarm) {
        return alarm == null ? null : alarm.watch;
    }

    static void end(@Nullable LeakAlarm alarm) {
        if (alarm != null) {
            alarm.timer.shutdownNow();
        }
    }
}
