package dev.comporta.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Sets for how long a test awaits a condition unless it says otherwise: a machine that is busy with other work may pause for
 * several seconds at a time, and Awaitility's own ten seconds are two or three such pauses.
 */
public final class PatientWaits implements LauncherSessionListener {
    /** A fraction of the @Timeout that most classes have, so that a condition that does not come is what the test reports. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(PATIENCE);
    }
}
