package dev.comporta.proxy.login;

import dev.comporta.tds.login.Encryption;
import dev.comporta.tls.TlsContexts;
import org.jspecify.annotations.Nullable;

/**
 * Where a bucket's server is, and how it is spoken to.
 *
 * @param contexts null only where nothing is encrypted
 * @param nameInCertificate what the server's certificate must be made out to, where certificates are checked
 */
public record ServerDial(
        String host, int port, Mode mode, @Nullable TlsContexts contexts, String nameInCertificate) {
    /** The bucket's {@code encrypt}. */
    public enum Mode {
        /** No TLS at all. */
        OFF(Encryption.NOT_SUPPORTED),
        /** LOGIN7 alone, unless the server wants everything encrypted. */
        LOGIN(Encryption.OFF),
        ON(Encryption.ON),
        /** TDS 8.0: TLS before anything else. */
        STRICT(Encryption.ON);

        private final Encryption asked;

        Mode(Encryption asked) {
            this.asked = asked;
        }

        /** What PRELOGIN says. */
        Encryption asked() {
            return asked;
        }
    }

    /** A server whose certificate bears its host's name. */
    public ServerDial(String host, int port, Mode mode, @Nullable TlsContexts contexts) {
        this(host, port, mode, contexts, host);
    }

    public ServerDial {
        if (mode != Mode.OFF && contexts == null) {
            throw new IllegalArgumentException("encryption " + mode + " without TLS settings");
        }
    }
}
