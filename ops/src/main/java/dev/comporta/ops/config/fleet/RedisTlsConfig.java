package dev.comporta.ops.config.fleet;

import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.NamedFile;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import java.nio.file.Path;
import java.util.Optional;

/** @param caFile PEM certificates to trust instead of the Java runtime's */
public record RedisTlsConfig(boolean enabled, boolean trustServerCertificate, Optional<Path> caFile) {
    private static final Key<Boolean> TLS = Key.of("tls", ValueTypes.bool(), "false");
    private static final Key<Boolean> TRUST = Key.of("trust_server_certificate", ValueTypes.bool(), "false");
    private static final Key<Path> CA_FILE =
            Key.derived("ca_file", ValueTypes.path(), "the Java runtime's certificates");

    static final Schema SCHEMA = Schema.of(TLS, TRUST, CA_FILE);

    static RedisTlsConfig read(Section section) {
        return new RedisTlsConfig(section.get(TLS), section.get(TRUST), NamedFile.file(section, CA_FILE));
    }
}
