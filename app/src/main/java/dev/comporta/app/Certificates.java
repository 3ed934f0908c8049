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
 * The certificate that clients see, and the trusted ones that client certificates are checked against. The files are read
 * again when they have changed; new connections use the new certificate, open ones keep theirs. If the files can't be used,
 * the previous certificate stays in use, and the log says so.
 *
 * <p>Event loops call {@link #latest} only; the control plane calls everything else, which locks.
 */
final class Certificates implements AutoCloseable {
    /** Certificates are renewed days before they expire: half a minute is soon enough, and a check costs a few system calls. */
    static final Duration LOOKING = Duration.ofSeconds(30);

    private static final List<String> OWN_HOSTS = List.of("localhost", "127.0.0.1", "::1");

    private static final Logger log = LoggerFactory.getLogger(Certificates.class);

    /** A file's time and size when it was checked; null and 0 for a missing file. */
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

    /** Reads the current content of the files. */
    @FunctionalInterface
    private interface Source {
        Shown read() throws IOException;
    }

    /**
     * Certificates that are loaded on a separate thread: generating a key can take as long as all the rest of a start. The
     * instance listens meanwhile, and clients that use TLS wait for the key.
     */
    static final class Loading implements AutoCloseable {
        /** Generating a key uses only the processor time that the start leaves free. */
        private static final int NICE = 10;

        private final ProxyConfig proxy;
        private final CompletableFuture<Certificates> loaded = new CompletableFuture<>();

        Loading(ProxyConfig proxy) {
            this.proxy = proxy;
            Thread.ofPlatform().daemon().name("load-certificates").start(this::load);
        }

        private void load() {
            if (files(proxy.tls()).isEmpty()) {
                ThreadPriority.lower(NICE); // a generated key is not needed before the instance listens
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

        /** TLS for listeners; may be called before the certificates are loaded. */
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

        /** As {@link Certificates#http}, once loaded; without TLS for HTTP it does not wait. */
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
     * @param clients absent if TLS is off for clients
     * @param http absent if TLS is off for HTTP
     * @param expiry absent without a certificate
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

    /** Reads the files, and then watches them for changes. */
    static Certificates load(ProxyConfig proxy) throws IOException {
        return load(proxy.tls(), proxy.http().isEncrypted(), proxy.instanceId(), LOOKING);
    }

    /**
     * @param http whether HTTP uses TLS too
     * @param looking how often to check whether a file has changed
     */
    static Certificates load(TlsConfig settings, boolean http, String instanceId, Duration looking) throws IOException {
        List<Path> files = files(settings);
        // Times and sizes are taken before the files are read: a change in between is noticed later.
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

    /** TLS for a new client. Only if TLS is not off for clients. */
    TlsContexts latest() {
        return current.clients().orElseThrow();
    }

    /** When the certificate that clients see expires. */
    Optional<Instant> expiry() {
        return current.expiry();
    }

    /** TLS for HTTP, always with the latest certificate. Absent if TLS is off for HTTP. */
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

    /** Reads the files again, changed or not. A self-signed certificate made at start stays. */
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
            keepsPrevious("can't use " + files + ": " + e); // caught, because it would end the watch for changes
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
