package dev.comporta.proxy.login;

import dev.comporta.proxy.watch.EntryCounts;
import dev.comporta.tds.login.Encryption;
import dev.comporta.tls.TlsContexts;
import io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;

/**
 * How clients are encrypted. A new certificate is a new instance, for the clients that come after it.
 *
 * @param contexts null only where the policy is NOT_SUPPORTED
 * @param counts told of handshakes
 */
public record ClientTls(Encryption.Policy policy, @Nullable TlsContexts contexts, EntryCounts counts) {
    /** Not counted by anyone, until {@link #counting}. */
    public ClientTls(Encryption.Policy policy, @Nullable TlsContexts contexts) {
        this(policy, contexts, new EntryCounts());
    }

    /** The same, and counted there. */
    public ClientTls counting(EntryCounts by) {
        return new ClientTls(policy, contexts, by);
    }

    public ClientTls {
        if (policy != Encryption.Policy.NOT_SUPPORTED && contexts == null) {
            throw new IllegalArgumentException("TLS without a certificate");
        }
    }

    /** For connections that begin with TLS; null refuses them. */
    public @Nullable SslContext strict() {
        return contexts == null ? null : contexts.strict();
    }
}
