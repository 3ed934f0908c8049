package dev.comporta.proxy.login;

import dev.comporta.proxy.names.Names;
import dev.comporta.tds.login.Encryption;
import dev.comporta.tls.TlsContexts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How to reach a bucket's server, and with which encryption.
 *
 * @param servers the server and its failover partners, in order of preference
 * @param contexts null only without encryption
 * @param names looks up their addresses, at each connect
 */
public record ServerDial(
        List<Server> servers, Mode mode, @Nullable TlsContexts contexts, Names names) {
    /**
     * A server of the bucket.
     *
     * @param nameInCertificate the name that its certificate must have, where certificates are checked
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
        /** Only LOGIN7 is encrypted, unless the server requires everything to be. */
        LOGIN(Encryption.OFF),
        ON(Encryption.ON),
        /** TDS 8.0: TLS before anything else. */
        STRICT(Encryption.ON);

        private final Encryption asked;

        Mode(Encryption asked) {
            this.asked = asked;
        }

        /** The encryption that PRELOGIN asks for. */
        Encryption asked() {
            return asked;
        }
    }

    /** Servers whose addresses the operating system looks up. */
    public ServerDial(List<Server> servers, Mode mode, @Nullable TlsContexts contexts) {
        this(servers, mode, contexts, Names.SYSTEM);
    }

    /** A server whose certificate has its host's name. */
    public ServerDial(String host, int port, Mode mode, @Nullable TlsContexts contexts) {
        this(List.of(new Server(host, port, host)), mode, contexts);
    }

    /** The host of the preferred server: the server name in logins, whichever server is in use. */
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
