package dev.comporta.e2e;

import dev.comporta.app.Instance;
import dev.comporta.ops.config.ConfigurationReader;
import java.io.IOException;
import java.nio.file.Path;

/** An instance in this process that listens on free ports of the loopback address. */
public final class LocalInstance {
    /** Settings of {@code proxy} with which no client fails because the machine is slow. */
    public static final String PATIENT = """
            login_timeout: 5m
            session_timeout: 0
            queue_timeout: 5m
            """;

    private static final String PROXY = """
            proxy:
              listen_addr: 127.0.0.1
              listen_port: 0
              health_check_port: 0
              metrics_port: 0
            """;

    private LocalInstance() {}

    /**
     * @param proxySettings further settings of {@code proxy}
     * @param buckets the content of buckets.yaml
     */
    public static Instance start(String proxySettings, String buckets) throws IOException {
        return Instance.start(ConfigurationReader.ofThisProcess()
                .read(PROXY + proxySettings.indent(2), buckets, Path.of(""))
                .orThrow());
    }
}
