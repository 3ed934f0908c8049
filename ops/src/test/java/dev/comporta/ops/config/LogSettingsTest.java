package dev.comporta.ops.config;

import static dev.comporta.ops.config.Readings.problemsOfProxy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.ops.config.log.LogConfig;
import dev.comporta.ops.config.log.LogLevel;
import dev.comporta.ops.config.log.LogPart;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LogSettingsTest {
    private static LogConfig read(String proxy, Map<String, String> environment) {
        return Readings.of(proxy, Readings.ONE_BUCKET, Path.of(""), environment)
                .orThrow()
                .proxy()
                .log();
    }

    @Test
    void aPartWithoutALevelHasThatOfAll() {
        LogConfig log = read("proxy: {log: {level: warn, levels: {pool: debug}}}\n", Map.of());
        assertThat(log.levels().of(LogPart.POOL)).isEqualTo(LogLevel.DEBUG);
        assertThat(log.levels().of(LogPart.RELAY)).isEqualTo(LogLevel.WARN);
    }

    @Test
    void librariesAndAuditLinesDoNotFollowTheLevelOfAll() {
        LogConfig log = read("proxy: {log: {level: trace}}\n", Map.of());
        assertThat(log.levels().of(LogPart.LIBRARIES)).isEqualTo(LogLevel.INFO);
        assertThat(read("proxy: {log: {level: error}}\n", Map.of()).levels().of(LogPart.AUDIT))
                .isEqualTo(LogLevel.INFO);
    }

    @Test
    void theEnvironmentGivesTheLevelThatTheFileDoesNot() {
        Map<String, String> debug = Map.of("COMPORTA_LOG", "DEBUG");
        assertThat(read("", debug).level()).isEqualTo(LogLevel.DEBUG);
        assertThat(read("", debug).levels().of(LogPart.RELAY)).isEqualTo(LogLevel.DEBUG);
        assertThat(read("proxy: {log: {level: warn}}\n", debug).level()).isEqualTo(LogLevel.WARN);
        assertThat(read("", Map.of("COMPORTA_LOG", "loud")).level()).isEqualTo(LogLevel.INFO);
    }

    @Test
    void partsAndLevelsThatDoNotExistAreErrors() {
        assertThat(problemsOfProxy("proxy: {log: {levels: {pools: debug}}}\n"))
                .containsExactly("proxy.yaml:1:24: error: proxy.log.levels.pools: There is no such key. Did you mean"
                        + " 'pool'?");
        assertThat(problemsOfProxy("proxy: {log: {level: chatty}}\n"))
                .containsExactly("proxy.yaml:1:22: error: proxy.log.level: 'chatty' is not known here. Write one of"
                        + " error, warn, info, debug, trace.");
        assertThat(problemsOfProxy("proxy: {log: {levels: {audit: error}}}\n"))
                .singleElement()
                .asString()
                .contains("proxy.log.levels.audit: There is no such key.");
    }
}
