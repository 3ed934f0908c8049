package dev.comporta.app;

import dev.comporta.ops.config.TlsSettings;
import dev.comporta.ops.config.yaml.Secret;
import dev.comporta.proxy.login.ClientTls;
import dev.comporta.tds.login.Encryption;
import dev.comporta.tds.tls.SelfSignedCertificate;
import dev.comporta.tds.tls.TlsContexts;
import dev.comporta.tds.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate that clients see. Its files are read again when they have changed, and clients that come after that
 * see the new one; those that are there keep theirs. Files that can't be used change nothing but the log.
 *
 * <p>Event loops ask {@link #get}; everything else is the control plane's, and locks.
 */
final class Certificates implements Supplier<ClientTls>, AutoCloseable {
    /** Certificates are renewed days before they expire: half a minute is soon, and looking costs a few system calls. */
    static final Duration LOOKING = Duration.ofSeconds(30);

    private static final List<String> OWN_HOSTS = List.of("localhost", "127.0.0.1", "::1");

    private static final Logger log = LoggerFactory.getLogger(Certificates.class);

    /** How a file was when it was looked at; a file that is not there has neither. */
    private record Seen(Path file, @Nullable FileTime modified, long size) {
        static Seen of(Path file) {
            try {
                BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
                return new Seen(file, attributes.lastModifiedTime(), attributes.size());
            } catch (IOException missing) {
                return new Seen(file, null, 0);
            }
        }
    }

    private final TlsSettings settings;
    private final Duration looking;
    private volatile ClientTls current;
    private List<Seen> seen;
    private @Nullable Thread watcher;

    private Certificates(TlsSettings settings, Duration looking, List<Seen> seen, ClientTls current) {
        this.settings = settings;
        this.looking = looking;
        this.seen = seen;
        this.current = current;
    }

    static Certificates load(TlsSettings settings, String instanceId) throws IOException {
        return load(settings, instanceId, LOOKING);
    }

    /** @param looking how often to look whether a file has changed */
    static Certificates load(TlsSettings settings, String instanceId, Duration looking) throws IOException {
        // Looked at before they are read: what is written in between is seen as a change later.
        List<Seen> seen = look(settings);
        ClientTls first = settings.mode() == TlsSettings.Mode.OFF
                ? new ClientTls(Encryption.Policy.NOT_SUPPORTED, null)
                : clientTls(settings, hasFiles(settings) ? fromFiles(settings) : selfSigned(settings, instanceId));
        return new Certificates(settings, looking, seen, first);
    }

    @Override
    public ClientTls get() {
        return current;
    }

    /** Begins to look for changes, where there are files that can change. */
    synchronized void watch() {
        if (hasFiles(settings) && settings.mode() != TlsSettings.Mode.OFF && watcher == null) {
            watcher = Thread.ofVirtual().name("certificates").start(this::lookOut);
        }
    }

    private void lookOut() {
        try {
            while (true) {
                Thread.sleep(looking);
                reloadIfChanged();
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized void reloadIfChanged() {
        if (!look(settings).equals(seen)) {
            reload();
        }
    }

    /** Reads the files again, changed or not. A self-signed certificate has none, and stays. */
    synchronized void reload() {
        if (!hasFiles(settings) || settings.mode() == TlsSettings.Mode.OFF) {
            return;
        }
        seen = look(settings);
        try {
            current = clientTls(settings, fromFiles(settings));
            log.info(
                    "new clients see the certificate that is in {} now",
                    settings.certificate().orElseThrow());
        } catch (IOException e) {
            log.error("{}. Clients go on seeing the certificate of before.", e.getMessage());
        }
    }

    private static boolean hasFiles(TlsSettings settings) {
        return settings.certificate().isPresent() && settings.privateKey().isPresent();
    }

    private static List<Seen> look(TlsSettings settings) {
        return Stream.of(settings.certificate(), settings.privateKey(), settings.clientCa())
                .flatMap(Optional::stream)
                .map(Seen::of)
                .toList();
    }

    private static ClientTls clientTls(TlsSettings settings, TlsContexts contexts) {
        return switch (settings.mode()) {
            case OFF -> throw new IllegalStateException("a certificate while TLS is off");
            case OPTIONAL -> new ClientTls(Encryption.Policy.OPTIONAL, contexts);
            case REQUIRED -> new ClientTls(Encryption.Policy.REQUIRED, contexts);
        };
    }

    private static TlsContexts fromFiles(TlsSettings settings) throws IOException {
        return TlsFiles.server(
                settings.certificate().orElseThrow(),
                settings.privateKey().orElseThrow(),
                settings.privateKeyPassword().map(Secret::reveal).orElse(null),
                settings.clientCa().orElse(null));
    }

    private static TlsContexts selfSigned(TlsSettings settings, String instanceId) throws IOException {
        try {
            return TlsFiles.server(
                    SelfSignedCertificate.generate(instanceId, OWN_HOSTS),
                    settings.clientCa().orElse(null));
        } catch (GeneralSecurityException e) {
            throw new IOException("no certificate could be made: " + e.getMessage(), e);
        }
    }

    @Override
    public synchronized void close() {
        if (watcher != null) {
            watcher.interrupt();
        }
    }
}
