package dev.comporta.tls;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The TLS settings of one side, server or client: one context for handshakes inside PRELOGIN packets, one for strict
 * connections. Immutable and shared by all connections; a new certificate needs a new instance.
 *
 * @param wrapped TLS 1.2 and no later. TLS 1.3 sends session tickets after the handshake, when 7.x peers have stopped
 *     unwrapping packets and, with login-only encryption, may have stopped decrypting. SQL Server offers 1.3 in strict
 *     connections only, for the same reason.
 * @param strict TLS 1.2 or 1.3 with the ALPN name of TDS 8.0
 */
public record TlsContexts(SslContext wrapped, SslContext strict) {
    public static final String ALPN = "tds/8.0";

    /** The default cipher suites of a server: forward secrecy and authenticated encryption. */
    public static final List<String> MODERN_CIPHERS = List.of(
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    /** The TLS library's own defaults: for connections to servers whose settings can't be changed. */
    public static final List<String> ANY_CIPHERS = List.of();

    private static final ApplicationProtocolConfig TDS_8 = new ApplicationProtocolConfig(
            Protocol.ALPN, SelectorFailureBehavior.NO_ADVERTISE, SelectedListenerFailureBehavior.ACCEPT, ALPN);

    public static TlsContexts server(PrivateKey key, X509Certificate... chain) throws SSLException {
        return server(bestProvider(), key, chain);
    }

    /** Uses this TLS library; for tests that pair one with another. */
    public static TlsContexts server(SslProvider provider, PrivateKey key, X509Certificate... chain)
            throws SSLException {
        return of(provider, MODERN_CIPHERS, () -> SslContextBuilder.forServer(key, chain));
    }

    /** A client that trusts what the factory trusts, or the system's roots if it is null, and checks the host's name. */
    public static TlsContexts client(@Nullable TrustManagerFactory trust, List<String> ciphers) throws SSLException {
        return of(bestProvider(), ciphers, () -> SslContextBuilder.forClient().trustManager(trust));
    }

    /** A client that accepts any certificate, like drivers with trustServerCertificate. */
    public static TlsContexts trustingClient() throws SSLException {
        return trustingClient(ANY_CIPHERS);
    }

    public static TlsContexts trustingClient(List<String> ciphers) throws SSLException {
        return trustingClient(bestProvider(), ciphers);
    }

    /** Uses this TLS library; for tests that pair one with another. */
    public static TlsContexts trustingClient(SslProvider provider) throws SSLException {
        return trustingClient(provider, ANY_CIPHERS);
    }

    private static TlsContexts trustingClient(SslProvider provider, List<String> ciphers) throws SSLException {
        return of(
                provider,
                ciphers,
                () -> SslContextBuilder.forClient()
                        .trustManager(InsecureTrustManagerFactory.INSTANCE)
                        .endpointIdentificationAlgorithm(null));
    }

    static TlsContexts of(List<String> ciphers, Supplier<SslContextBuilder> base) throws SSLException {
        return of(bestProvider(), ciphers, base);
    }

    private static TlsContexts of(SslProvider provider, List<String> ciphers, Supplier<SslContextBuilder> base)
            throws SSLException {
        return new TlsContexts(
                base.get()
                        .sslProvider(provider)
                        .protocols("TLSv1.2")
                        .ciphers(ciphers.isEmpty() ? null : forTls12(ciphers))
                        .build(),
                base.get()
                        .sslProvider(provider)
                        .ciphers(ciphers.isEmpty() ? null : ciphers)
                        .protocols(List.of("TLSv1.3", "TLSv1.2"))
                        .applicationProtocolConfig(TDS_8)
                        .build());
    }

    /** TLS 1.2 or 1.3 without an application protocol. */
    static SslContextBuilder modern(SslContextBuilder base, List<String> ciphers) {
        return base.sslProvider(bestProvider())
                .ciphers(ciphers.isEmpty() ? null : ciphers)
                .protocols(List.of("TLSv1.3", "TLSv1.2"));
    }

    /** Without the suites of TLS 1.3, whose names have no key exchange. */
    private static List<String> forTls12(List<String> ciphers) {
        return ciphers.stream().filter(name -> name.contains("_WITH_")).toList();
    }

    private static SslProvider bestProvider() {
        return OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK;
    }
}
