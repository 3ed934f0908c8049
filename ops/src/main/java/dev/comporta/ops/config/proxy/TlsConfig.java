package dev.comporta.ops.config.proxy;

import dev.comporta.ops.config.value.HiddenText;
import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Consistency;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.ListKey;
import dev.comporta.ops.config.yaml.NamedFile;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * TLS between clients and Comporta.
 *
 * @param certificate a PEM chain; if absent, a self-signed certificate is made at start
 * @param ciphers in order of preference; empty means those that are considered safe today
 * @param clientCa clients must show a certificate signed by one of these
 */
public record TlsConfig(
        Mode mode,
        Optional<Path> certificate,
        Optional<Path> privateKey,
        Optional<HiddenText> privateKeyPassword,
        Optional<Path> clientCa,
        List<Cipher> ciphers) {
    /** Whether encryption is optional, required or off for clients. */
    public enum Mode {
        OFF,
        OPTIONAL,
        REQUIRED
    }

    private static final Key<Mode> MODE = Key.of("mode", ValueTypes.choice(Mode.class), "optional");
    private static final Key<Path> CERTIFICATE =
            Key.derived("certificate", ValueTypes.path(), "self-signed, made at start");
    private static final Key<Path> PRIVATE_KEY = Key.derived("private_key", ValueTypes.path(), "none");
    private static final Key<HiddenText> PRIVATE_KEY_PASSWORD =
            Key.derived("private_key_password", ValueTypes.secret(), "none");
    private static final Key<Path> CLIENT_CA = Key.derived("client_ca", ValueTypes.path(), "none");
    private static final ListKey<Cipher> CIPHERS =
            ListKey.of("ciphers", ValueTypes.choice(Cipher.class), "ECDHE with AES-GCM or ChaCha20");

    static final Schema SCHEMA = Schema.of(MODE, CERTIFICATE, PRIVATE_KEY, PRIVATE_KEY_PASSWORD, CLIENT_CA, CIPHERS);

    public TlsConfig {
        ciphers = List.copyOf(ciphers);
        new Consistency()
                .refuse(!ciphers.isEmpty() && ciphers.stream().noneMatch(Cipher::isOfTls12), "ciphers")
                .because(
                        "None of them is for TLS 1.2, which every driver uses unless it is set to strict.",
                        "Add one, such as tls_ecdhe_rsa_with_aes_128_gcm_sha256.")
                .refuse(certificate.isPresent() && privateKey.isEmpty(), "certificate", "private_key")
                .because(
                        "A certificate is given without its private key.",
                        "Add 'private_key:' with the path of the key, or remove 'certificate'.")
                .refuse(privateKey.isPresent() && certificate.isEmpty(), "private_key", "certificate")
                .because(
                        "A private key is given without its certificate.",
                        "Add 'certificate:' with the path of the chain, or remove 'private_key'.")
                .refuse(clientCa.isPresent() && mode == Mode.OFF, "client_ca", "mode")
                .because(
                        "Client certificates can't be checked while TLS is off.",
                        "Set 'mode' to required, or remove 'client_ca'.")
                .refuse(privateKeyPassword.isPresent() && privateKey.isEmpty(), "private_key_password", "private_key")
                .because(
                        "There is a password but no private key.",
                        "Add 'private_key:', or remove 'private_key_password'.")
                .orThrow();
    }

    static TlsConfig read(Section section) {
        return section.make(TlsConfig::from);
    }

    private static TlsConfig from(Section section) {
        TlsConfig settings = new TlsConfig(
                section.get(MODE),
                NamedFile.file(section, CERTIFICATE),
                NamedFile.file(section, PRIVATE_KEY),
                Optional.ofNullable(section.find(PRIVATE_KEY_PASSWORD)),
                NamedFile.file(section, CLIENT_CA),
                section.list(CIPHERS));
        if (settings.ciphers.stream().anyMatch(cipher -> !cipher.isModern())) {
            section.warn(
                    CIPHERS.name(),
                    "Some have no forward secrecy or no authenticated encryption (TLS_RSA_…, …_CBC_…).",
                    "Keep them only for clients that can't do better.");
        }
        if (settings.mode == Mode.OFF) {
            section.warn(
                    MODE.name(),
                    "Clients' passwords travel in a form that anyone on the network can read.",
                    "Use optional or required unless the network is trusted.");
        } else if (settings.mode == Mode.OPTIONAL && settings.clientCa.isPresent()) {
            section.warn(
                    CLIENT_CA.name(),
                    "A client that does not encrypt shows no certificate and can still log in.",
                    "Set 'mode' to required to make every client show one.");
        }
        return settings;
    }
}
