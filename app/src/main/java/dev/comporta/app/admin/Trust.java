package dev.comporta.app.admin;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** Makes TLS contexts that decide which certificates of an instance are trusted. */
public final class Trust {
    private Trust() {}

    /** Trusts the certificates in a PEM file, and those that they have signed. */
    public static SSLContext of(Path pem) throws IOException {
        try (InputStream file = Files.newInputStream(pem)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(file)) {
                store.setCertificateEntry("trusted-" + store.size(), certificate);
            }
            if (store.size() == 0) {
                throw new IOException("there is no certificate in " + pem);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return context(factory.getTrustManagers());
        } catch (GeneralSecurityException e) {
            throw new IOException("can't read certificates from " + pem + ": " + e.getMessage(), e);
        }
    }

    /** Trusts any certificate: the connection is encrypted, but may lead to another server. */
    public static SSLContext any() throws IOException {
        try {
            return context(new Credulous());
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS is not available: " + e.getMessage(), e);
        }
    }

    private static SSLContext context(TrustManager... managers) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers, null);
        return context;
    }

    /** An extended trust manager, because with any other the JDK checks the host name itself. */
    private static final class Credulous extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

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
