package dev.comporta.testkit;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;
import org.slf4j.LoggerFactory;

/**
 * Starts logging before the first test class. If classes run in parallel, a second thread that asks for a logger while the
 * first one still starts logging gets a placeholder of SLF4J in place of Logback's logger.
 */
public final class LoggingReady implements LauncherSessionListener {
    @Override
    public void launcherSessionOpened(LauncherSession session) {
        LoggerFactory.getILoggerFactory();
    }
}
