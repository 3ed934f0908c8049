package dev.comporta.tls;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** TLS settings from PEM files. Error texts name the file. */
public final class TlsFiles {
    /** Matches a certificate; a file may contain other text, such as a description. */
    private static final Pattern CERTIFICATE =
            Pattern.compile("-----BEGIN [A-Z0-9 ]*CERTIFICATE-----([^-]+)-----END [A-Z0-9 ]*CERTIFICATE-----");

    private TlsFiles() {}

    /**
     * @param chain the certificate, then those that lead to its root
     * @param key in PKCS#8
     * @param clientCa the CA that must have signed a client's certificate; if null, clients are not asked for one
     * @param ciphers by their standard names, in order of preference
     */
    public static TlsContexts server(
            Path chain, Path key, @Nullable String keyPassword, @Nullable Path clientCa, List<String> ciphers)
            throws IOException {
        String files = chain + ", " + key + (clientCa == null ? "" : ", " + clientCa);
        TlsContexts contexts = server(
                () -> SslContextBuilder.forServer(chain.toFile(), key.toFile(), keyPassword), clientCa, ciphers, files);
        if (!Rehearsal.succeeds(contexts)) {
            throw new IOException("can't use the certificate or key (" + files
                    + "): the key does not belong to the certificate, or no cipher suite fits the key");
        }
        return contexts;
    }

    /** Uses a certificate that is not from a file. */
    public static TlsContexts server(SelfSignedCertificate own, @Nullable Path clientCa, List<String> ciphers)
            throws IOException {
        return server(
                () -> SslContextBuilder.forServer(own.key(), own.certificate()),
                clientCa,
                ciphers,
                clientCa == null ? "self-signed" : clientCa.toString());
    }

    private static TlsContexts server(
            Supplier<SslContextBuilder> base, @Nullable Path clientCa, List<String> ciphers, String files)
            throws IOException {
        try {
            return TlsContexts.of(
                    ciphers,
                    () -> clientCa == null
                            ? base.get()
                            : base.get().trustManager(clientCa.toFile()).clientAuth(ClientAuth.REQUIRE));
        } catch (IOException | IllegalArgumentException e) {
            throw new IOException("can't use the certificate or key (" + files + "): " + reason(e), e);
        }
    }

    /** For an HTTP server, with the certificate of {@link #server(Path, Path, String, Path, List)}. */
    public static HttpTls http(Path chain, Path key, @Nullable String keyPassword, List<String> ciphers)
            throws IOException {
        return http(
                SslContextBuilder.forServer(chain.toFile(), key.toFile(), keyPassword), ciphers, chain + ", " + key);
    }

    /** Uses a certificate that is not from a file. */
    public static HttpTls http(SelfSignedCertificate own, List<String> ciphers) throws IOException {
        return http(SslContextBuilder.forServer(own.key(), own.certificate()), ciphers, "self-signed");
    }

    private static HttpTls http(SslContextBuilder base, List<String> ciphers, String files) throws IOException {
        try {
            return new HttpTls(TlsContexts.modern(base, ciphers).build());
        } catch (IOException | IllegalArgumentException e) {
            throw new IOException("can't use the certificate or key (" + files + "): " + reason(e), e);
        }
    }

    /** A client that trusts certificates signed by these, and checks the host's name. */
    public static TlsContexts client(Path ca, List<String> ciphers) throws IOException {
        try {
            return TlsContexts.of(ciphers, () -> SslContextBuilder.forClient().trustManager(ca.toFile()));
        } catch (IOException | IllegalArgumentException e) {
            throw new IOException("can't use the certificates of " + ca + ": " + reason(e), e);
        }
    }

    /**
     * When the first certificate of a chain expires: from then on clients that verify certificates reject it.
     *
     * @return empty if the file has no certificate that can be read
     */
    public static Optional<Instant> expiry(Path chain) throws IOException {
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            List<Instant> ends = new ArrayList<>();
            Matcher blocks = CERTIFICATE.matcher(Files.readString(chain, StandardCharsets.ISO_8859_1));
            while (blocks.find()) {
                byte[] encoded = Base64.getMimeDecoder().decode(blocks.group(1));
                ends.add(((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(encoded)))
                        .getNotAfter()
                        .toInstant());
            }
            return ends.stream().min(Comparator.naturalOrder());
        } catch (CertificateException e) {
            throw new IOException("can't use the certificates of " + chain + ": " + reason(e), e);
        }
    }

    private static String reason(Exception e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }
}
