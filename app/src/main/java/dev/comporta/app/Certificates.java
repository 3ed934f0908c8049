package dev.comporta.app;

import dev.comporta.ops.config.proxy.ProxyConfig;
import dev.comporta.ops.config.proxy.TlsConfig;
import dev.comporta.ops.config.value.HiddenText;
import dev.comporta.ops.work.ThreadPriority;
import dev.comporta.proxy.login.ClientTls;
import dev.comporta.tds.login.Encryption;
import dev.comporta.tls.HttpTls;
import dev.comporta.tls.SelfSignedCertificate;
import dev.comporta.tls.TlsContexts;
import dev.comporta.tls.TlsFiles;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate that clients see, and those by which theirs are judged. Their files are read again when they have
 * changed, and clients that come after that see the new one; those that are there keep theirs. Files that can't be used
 * change nothing but the log.
 *
 * <p>Event loops ask {@link #latest}; everything else is the control plane's, and locks.
 */
final class Certificates implements AutoCloseable {
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

    /** Makes of the files what they hold now. */
    @FunctionalInterface
    private interface Source {
        Shown read() throws IOException;
    }

    /**
     * Certificates that a thread of its own loads: to make a key can take as long as all the rest of a start. The instance
     * listens meanwhile, and clients that want TLS wait until there is a key.
     */
    static final class Loading implements AutoCloseable {
        /** To make a key takes what the start leaves of the processors, which is enough. */
        private static final int NICE = 10;

        private final ProxyConfig proxy;
        private final CompletableFuture<Certificates> loaded = new CompletableFuture<>();

        Loading(ProxyConfig proxy) {
            this.proxy = proxy;
            Thread.ofPlatform().daemon().name("load-certificates").start(this::load);
        }

        private void load() {
            if (files(proxy.tls()).isEmpty()) {
                ThreadPriority.lower(NICE); // nobody waits for a key before the instance listens
            }
            try {
                loaded.complete(Certificates.load(proxy));
            } catch (IOException | RuntimeException e) {
                loaded.completeExceptionally(e);
            }
        }

        /** Files that can't be used are reported before anything is opened. */
        void awaitFiles() throws IOException {
            if (!files(proxy.tls()).isEmpty()) {
                await();
            }
        }

        /** For listeners, at any time. */
        ClientTls clients() {
            Encryption.Policy policy = policy(proxy.tls());
            return policy == Encryption.Policy.NOT_SUPPORTED
                    ? ClientTls.off()
                    : new ClientTls(policy, () -> loaded.join().latest(), loaded);
        }

        Certificates await() throws IOException {
            try {
                return loaded.get();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof IOException unusable) {
                    throw unusable;
                }
                throw new IllegalStateException(e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while the certificate was loaded");
            }
        }

        /** As {@link Certificates#http}; waits for nothing where HTTP is served in the clear. */
        Optional<Supplier<HttpTls>> http() throws IOException {
            return proxy.http().isEncrypted() ? await().http() : Optional.empty();
        }

        @Override
        public void close() {
            try {
                await().close();
            } catch (IOException neverLoaded) {
                log.debug("no certificates to close", neverLoaded);
            }
        }
    }

    /**
     * @param clients absent where no client is encrypted
     * @param http absent where HTTP is served in the clear
     * @param expiry absent where there is no certificate
     */
    private record Shown(Optional<TlsContexts> clients, Optional<HttpTls> http, Optional<Instant> expiry) {}

    private final List<Path> files;
    private final Source source;
    private volatile Shown current;
    private List<Seen> seen;
    private @Nullable Thread watcher;

    private Certificates(List<Path> files, Source source, List<Seen> seen, Shown current) {
        this.files = files;
        this.source = source;
        this.seen = seen;
        this.current = current;
    }

    /** Reads the files, and from then on looks whether they change. */
    static Certificates load(ProxyConfig proxy) throws IOException {
        return load(proxy.tls(), proxy.http().isEncrypted(), proxy.instanceId(), LOOKING);
    }

    /**
     * @param http whether HTTP is encrypted too
     * @param looking how often to look whether a file has changed
     */
    static Certificates load(TlsConfig settings, boolean http, String instanceId, Duration looking) throws IOException {
        List<Path> files = files(settings);
        // Looked at before they are read: what is written in between is seen as a change later.
        List<Seen> seen = look(files);
        Source source = source(settings, http, instanceId);
        Certificates loaded = new Certificates(files, source, seen, source.read());
        loaded.watch(looking);
        return loaded;
    }

    private static List<Path> files(TlsConfig settings) {
        return settings.mode() == TlsConfig.Mode.OFF
                ? List.of()
                : Stream.of(settings.certificate(), settings.privateKey(), settings.clientCa())
                        .flatMap(Optional::stream)
                        .toList();
    }

    private static Encryption.Policy policy(TlsConfig settings) {
        return switch (settings.mode()) {
            case OFF -> Encryption.Policy.NOT_SUPPORTED;
            case OPTIONAL -> Encryption.Policy.OPTIONAL;
            case REQUIRED -> Encryption.Policy.REQUIRED;
        };
    }

    private static Source source(TlsConfig settings, boolean http, String instanceId) throws IOException {
        if (settings.mode() == TlsConfig.Mode.OFF) {
            return () -> new Shown(Optional.empty(), Optional.empty(), Optional.empty());
        }
        if (settings.certificate().isPresent()) {
            return () -> new Shown(
                    Optional.of(fromFiles(settings)),
                    http ? Optional.of(httpFromFiles(settings)) : Optional.empty(),
                    TlsFiles.expiry(settings.certificate().orElseThrow()));
        }
        SelfSignedCertificate own = selfSigned(instanceId);
        return () -> new Shown(
                Optional.of(TlsFiles.server(own, settings.clientCa().orElse(null), ciphers(settings))),
                http ? Optional.of(TlsFiles.http(own, ciphers(settings))) : Optional.empty(),
                Optional.of(own.certificate().getNotAfter().toInstant()));
    }

    /** What clients that come now are shown, if they are shown anything. */
    TlsContexts latest() {
        return current.clients().orElseThrow();
    }

    /** When what clients see expires. */
    Optional<Instant> expiry() {
        return current.expiry();
    }

    /** What callers of HTTP are shown: always the latest. Absent where HTTP is served in the clear. */
    Optional<Supplier<HttpTls>> http() {
        return current.http().isEmpty()
                ? Optional.empty()
                : Optional.of(() -> current.http().orElseThrow());
    }

    private synchronized void watch(Duration looking) {
        if (!files.isEmpty()) {
            watcher = Thread.ofVirtual().name("certificates").start(() -> lookOut(looking));
        }
    }

    private void lookOut(Duration looking) {
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
        if (!look(files).equals(seen)) {
            reload();
        }
    }

    /** Reads the files again, changed or not. A certificate of the proxy's own making stays. */
    synchronized void reload() {
        if (files.isEmpty()) {
            return;
        }
        seen = look(files);
        try {
            current = source.read();
            log.info("reloaded the TLS certificate from {}; new connections use it", files);
        } catch (IOException e) {
            keepsPrevious(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            keepsPrevious("can't use " + files + ": " + e); // thrown, it would end the watch for changes
        }
    }

    private static void keepsPrevious(String why) {
        log.error("{}. The TLS certificate was not reloaded; the previous one stays in use.", why);
    }

    private static List<Seen> look(List<Path> files) {
        return files.stream().map(Seen::of).toList();
    }

    private static TlsContexts fromFiles(TlsConfig settings) throws IOException {
        return TlsFiles.server(
                settings.certificate().orElseThrow(),
                settings.privateKey().orElseThrow(),
                settings.privateKeyPassword().map(HiddenText::reveal).orElse(null),
                settings.clientCa().orElse(null),
                ciphers(settings));
    }

    private static HttpTls httpFromFiles(TlsConfig settings) throws IOException {
        return TlsFiles.http(
                settings.certificate().orElseThrow(),
                settings.privateKey().orElseThrow(),
                settings.privateKeyPassword().map(HiddenText::reveal).orElse(null),
                ciphers(settings));
    }

    private static List<String> ciphers(TlsConfig settings) {
        return settings.ciphers().isEmpty()
                ? TlsContexts.MODERN_CIPHERS
                : settings.ciphers().stream().map(Enum::name).toList();
    }

    private static SelfSignedCertificate selfSigned(String instanceId) throws IOException {
        try {
            return SelfSignedCertificate.generate(instanceId, OWN_HOSTS);
        } catch (GeneralSecurityException e) {
            throw new IOException("could not make a self-signed certificate: " + e.getMessage(), e);
        }
    }

    @Override
    public synchronized void close() {
        if (watcher != null) {
            watcher.interrupt();
        }
    }
}
