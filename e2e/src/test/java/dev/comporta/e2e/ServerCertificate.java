package dev.comporta.e2e;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * The certificate that a server shows, as a file: drivers in strict mode trust what they are given and nothing else.
 * Asked of the server itself, so that it works with any.
 */
public final class ServerCertificate {
    private static final int PATIENCE_MILLIS = 20_000;

    private static final Map<String, Path> FILES = new ConcurrentHashMap<>();

    private ServerCertificate() {}

    /** The certificate as PEM, in a file that lasts as long as the tests. */
    public static Path of(Target target) {
        return FILES.computeIfAbsent(target.host() + ":" + target.port(), server -> {
            try {
                Path file = save(target);
                file.toFile().deleteOnExit();
                return file;
            } catch (IOException | GeneralSecurityException e) {
                throw new IllegalStateException("no certificate from " + server, e);
            }
        });
    }

    /** The server is gone: another may get its port, and has another certificate. */
    public static void forget(Target target) {
        FILES.remove(target.host() + ":" + target.port());
    }

    private static Path save(Target target) throws IOException, GeneralSecurityException {
        try (Socket plain = new Socket(target.host(), target.port());
                SSLSocket socket = (SSLSocket)
                        trustingAnyone().getSocketFactory().createSocket(plain, target.host(), target.port(), true)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"tds/8.0"});
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            Certificate certificate = socket.getSession().getPeerCertificates()[0];
            String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate.getEncoded());
            return Files.writeString(
                    Files.createTempFile("server", ".pem"),
                    "-----BEGIN CERTIFICATE-----\n" + body + "\n-----END CERTIFICATE-----\n");
        }
    }

    public static SSLContext trustingAnyone() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new TrustEverybody()}, new SecureRandom());
        return context;
    }

    private static final class TrustEverybody implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
