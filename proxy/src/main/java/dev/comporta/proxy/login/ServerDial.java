package dev.comporta.proxy.login;

import dev.comporta.proxy.names.Names;
import dev.comporta.tds.login.Encryption;
import dev.comporta.tls.TlsContexts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a bucket's server is, and how it is spoken to.
 *
 * @param servers the server, and those that take its place when it fails, in order of preference
 * @param contexts null only where nothing is encrypted
 * @param names finds their addresses, at each connect
 */
public record ServerDial(
        List<Server> servers, Mode mode, @Nullable TlsContexts contexts, Names names) {
    /**
     * One of them.
     *
     * @param nameInCertificate what its certificate must be made out to, where certificates are checked
     */
    public record Server(String host, int port, String nameInCertificate) {
        @Override
        public String toString() {
            return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
        }
    }

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

    /** Servers whose addresses the operating system knows. */
    public ServerDial(List<Server> servers, Mode mode, @Nullable TlsContexts contexts) {
        this(servers, mode, contexts, Names.SYSTEM);
    }

    /** A server whose certificate bears its host's name. */
    public ServerDial(String host, int port, Mode mode, @Nullable TlsContexts contexts) {
        this(List.of(new Server(host, port, host)), mode, contexts);
    }

    /** Of the preferred server: the name that logins give, whichever of them is in use. */
    public String host() {
        return servers.getFirst().host();
    }

    public ServerDial {
        servers = List.copyOf(servers);
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("a bucket without a server");
        }
        if (mode != Mode.OFF && contexts == null) {
            throw new IllegalArgumentException("encryption " + mode + " without TLS settings");
        }
    }
}
