package dev.comporta.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Levels change while an instance runs. */
@Timeout(60)
class LogLevelsTest {
    private static final String BUCKET = "max_connections: 1, encrypt: off";

    private final Logger relay = LoggerFactory.getLogger("dev.comporta.proxy.relay.PooledServer");
    private final Logger pool = LoggerFactory.getLogger("dev.comporta.proxy.loop.BucketLoop");
    private final Logger audit = LoggerFactory.getLogger("dev.comporta.audit");
    private final Logger library = LoggerFactory.getLogger("io.netty.channel.Channel");

    @TempDir
    private Path directory;

    @AfterEach
    void asBefore() throws Exception {
        RunningProxy.start(directory, "idle_timeout: 0", BUCKET).close();
    }

    @Test
    void byTheConsoleAndByAReload() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "log: {level: warn}", BUCKET)) {
            ConsoleClient console = new ConsoleClient(running.instance);
            assertThat(relay.isInfoEnabled()).isFalse();
            assertThat(audit.isInfoEnabled()).isTrue();

            assertThat(console.ask("SET proxy.log.level = debug")).startsWith("proxy.log.level is 'debug'.");
            assertThat(relay.isDebugEnabled()).isTrue();
            assertThat(library.isDebugEnabled()).isFalse();

            assertThat(console.ask("SET proxy.log.levels.pool = error"))
                    .startsWith("proxy.log.levels.pool is 'error'.");
            assertThat(pool.isWarnEnabled()).isFalse();
            assertThat(relay.isDebugEnabled()).isTrue();
            assertThat(console.ask("SELECT value FROM sys.settings WHERE name = 'proxy.log.levels.relay'"))
                    .isEqualTo("debug");

            assertThat(console.ask("SET proxy.log.levels.pol = error"))
                    .contains("Did you mean 'proxy.log.levels.pool'?");
            assertThat(console.ask("SET proxy.log.level = loud")).contains("error, warn, info, debug, trace");

            running.reload("log: {levels: {relay: trace}}", RunningProxy.bucket(running.server, "one", BUCKET));
            assertThat(pool.isInfoEnabled()).isTrue();
            assertThat(pool.isDebugEnabled()).isFalse();
            assertThat(relay.isTraceEnabled()).isTrue();
        }
    }
}
