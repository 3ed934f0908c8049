package dev.comporta.pool;

import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.ConnectRateSettings;
import dev.comporta.pool.settings.ExhaustionSettings;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.settings.LoginSettings;
import dev.comporta.pool.settings.QueueSettings;
import dev.comporta.pool.settings.ReservoirSettings;
import dev.comporta.pool.settings.ValidationSettings;
import java.time.Duration;
import java.util.Map;

/** Small limits and short times: so that a few events reach every corner. */
final class RandomSettings {
    private RandomSettings() {}

    static BucketSettings from(Dice dice) {
        int max = 1 + dice.below(4);
        return BucketSettings.DEFAULTS
                .but()
                .maxConnections(max)
                .minIdle(dice.oneIn(2) ? 0 : dice.below(max + 1))
                .maxIdleTime(millis(200 + dice.below(3) * 1000))
                .connectionTimeout(millis(100))
                .leaseRetry(millis(30))
                .resetOnRelease(dice.oneIn(4))
                .queue(new QueueSettings(
                        patience(dice),
                        2 + dice.below(8),
                        dice.oneIn(2) ? QueueSettings.WhenDown.WAIT : QueueSettings.WhenDown.REFUSE))
                .logins(logins(dice))
                .exhaustion(exhaustion(dice))
                .validation(new ValidationSettings(dice.oneIn(6), dice.oneIn(6), millis(dice.below(3) * 20)))
                .reservoir(reservoir(dice, max))
                .connectRate(
                        dice.oneIn(2)
                                ? new ConnectRateSettings(1000, 50)
                                : new ConnectRateSettings(20, 1 + dice.below(3)))
                .health(new HealthSettings(
                        HealthSettings.Check.values()[dice.below(3)],
                        millis(dice.below(3) * 40),
                        millis(50),
                        1 + dice.below(3),
                        1 + dice.below(2),
                        millis(20),
                        millis(dice.oneIn(2) ? 100 : 3000)))
                .build();
    }

    private static Duration patience(Dice dice) {
        return dice.oneIn(3) ? Duration.ofNanos(Observer.PATIENCE) : millis(300 + dice.below(2) * 2000);
    }

    private static LoginSettings logins(Dice dice) {
        int limit = dice.oneIn(3) ? 1 + dice.below(2) : 0;
        return new LoginSettings(limit, dice.oneIn(4), Map.of("l0", new LoginSettings.Rule(limit, 3)));
    }

    private static ExhaustionSettings exhaustion(Dice dice) {
        return switch (dice.below(5)) {
            case 0 -> new ExhaustionSettings(ExhaustionSettings.Policy.FAIL_FAST, 0, millis(50));
            case 1 -> new ExhaustionSettings(ExhaustionSettings.Policy.OVERFLOW, 1 + dice.below(2), millis(50));
            default -> new ExhaustionSettings(ExhaustionSettings.Policy.WAIT, 0, millis(50));
        };
    }

    private static ReservoirSettings reservoir(Dice dice, int max) {
        return new ReservoirSettings(
                dice.oneIn(2) ? 0 : dice.below(max + 1),
                dice.below(3),
                1,
                1 + dice.below(3),
                millis(200 + dice.below(2) * 2000),
                millis(dice.below(3) * 30),
                millis(dice.below(3) * 20),
                millis(dice.below(3) * 30));
    }

    private static Duration millis(long n) {
        return Duration.ofMillis(n);
    }
}
