package dev.comporta.testkit;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;
import org.slf4j.LoggerFactory;

/**
 * Starts logging before the first test class. Where classes run side by side, a second thread that asks for a logger while
 * the first one still starts logging gets a placeholder of SLF4J's instead of Logback's.
 */
public final class LoggingReady implements LauncherSessionListener {
    @Override
    public void launcherSessionOpened(LauncherSession session) {
        LoggerFactory.getILoggerFactory();
    }
}
