package dev.comporta.proxy.login;

import dev.comporta.proxy.watch.EntryCounts;
import dev.comporta.tds.login.Encryption;
import dev.comporta.tls.TlsContexts;
import io.netty.handler.ssl.SslContext;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The encryption of client connections.
 *
 * @param latest called for each handshake, so that a new certificate needs no restart; null only if the policy is NOT_SUPPORTED
 * @param ready completes when there is a certificate: no handshake begins before
 * @param counts counts the handshakes
 */
public record ClientTls(
        Encryption.Policy policy,
        @Nullable Supplier<TlsContexts> latest,
        CompletionStage<?> ready,
        EntryCounts counts) {
    private static final CompletionStage<?> NOW = CompletableFuture.completedStage(true);

    public ClientTls {
        if (policy != Encryption.Policy.NOT_SUPPORTED && latest == null) {
            throw new IllegalArgumentException("TLS without a certificate");
        }
    }

    /** Without shared counters, until {@link #counting}. */
    public ClientTls(Encryption.Policy policy, Supplier<TlsContexts> latest, CompletionStage<?> ready) {
        this(policy, latest, ready, new EntryCounts());
    }

    /** With a certificate that does not change. */
    public ClientTls(Encryption.Policy policy, TlsContexts contexts) {
        this(policy, () -> contexts, NOW);
    }

    /** No client is encrypted. */
    public static ClientTls off() {
        return new ClientTls(Encryption.Policy.NOT_SUPPORTED, null, NOW, new EntryCounts());
    }

    /** The same settings with these counters. */
    public ClientTls counting(EntryCounts by) {
        return new ClientTls(policy, latest, ready, by);
    }

    /** The TLS context for a handshake inside PRELOGIN packets that begins now. */
    SslContext wrapped() {
        return Objects.requireNonNull(latest).get().wrapped();
    }

    /** The TLS context for a connection that begins with TLS now; null refuses it. */
    public @Nullable SslContext strict() {
        return latest == null ? null : latest.get().strict();
    }
}
