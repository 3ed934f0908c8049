package dev.comporta.ops.config.bucket;

import dev.comporta.ops.config.proxy.Cipher;
import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.ListKey;
import dev.comporta.ops.config.yaml.NamedFile;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * TLS between Comporta and a database.
 *
 * @param caFile PEM certificates to trust instead of the Java runtime's
 * @param hostNameInCertificate the name in the certificate, if it is not the host's
 * @param ciphers in order of preference; empty means all that the TLS library has
 */
public record ServerTlsConfig(
        Encrypt encrypt,
        boolean trustServerCertificate,
        Optional<Path> caFile,
        Optional<String> hostNameInCertificate,
        List<Cipher> ciphers) {
    private static final Key<Encrypt> ENCRYPT = Key.of("encrypt", ValueTypes.choice(Encrypt.class), "on");
    private static final Key<Boolean> TRUST = Key.of("trust_server_certificate", ValueTypes.bool(), "false");
    private static final Key<Path> CA_FILE =
            Key.derived("ca_file", ValueTypes.path(), "the Java runtime's certificates");
    private static final Key<String> HOST_NAME =
            Key.derived("host_name_in_certificate", ValueTypes.text("a host name"), "the server's host name");
    private static final ListKey<Cipher> CIPHERS =
            ListKey.of("tls_ciphers", ValueTypes.choice(Cipher.class), "all that the TLS library has");

    static final Schema SCHEMA = Schema.of(ENCRYPT, TRUST, CA_FILE, HOST_NAME, CIPHERS);

    public ServerTlsConfig {
        ciphers = List.copyOf(ciphers);
    }

    static ServerTlsConfig read(Section section) {
        ServerTlsConfig settings = new ServerTlsConfig(
                section.get(ENCRYPT),
                section.get(TRUST),
                NamedFile.file(section, CA_FILE),
                Optional.ofNullable(section.find(HOST_NAME)),
                section.list(CIPHERS));
        boolean inPrelogin = settings.encrypt == Encrypt.ON || settings.encrypt == Encrypt.LOGIN;
        if (inPrelogin
                && !settings.ciphers.isEmpty()
                && settings.ciphers.stream().noneMatch(Cipher::isOfTls12)) {
            section.error(
                    CIPHERS.name(),
                    "None of them is for TLS 1.2, which is used unless encrypt is strict.",
                    "Add one, such as tls_ecdhe_rsa_with_aes_128_gcm_sha256, or set 'encrypt' to strict.");
        }
        if (settings.trustServerCertificate && settings.caFile.isPresent()) {
            section.warn(
                    CA_FILE.name(),
                    "It has no effect: trust_server_certificate takes any certificate.",
                    "Remove one of the two.");
        }
        return settings;
    }
}
