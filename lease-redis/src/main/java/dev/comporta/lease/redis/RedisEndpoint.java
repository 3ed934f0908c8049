package dev.comporta.lease.redis;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Where Redis is, and how to log in.
 *
 * @param addresses the addresses of the server, of the sentinels, or of some nodes of the cluster
 * @param sentinelMaster the name by which the sentinels know the master; for {@link Mode#SENTINEL} alone
 * @param commandTimeout a call that is not answered within this time has failed
 */
public record RedisEndpoint(
        Mode mode,
        List<Address> addresses,
        Optional<String> sentinelMaster,
        Optional<Credentials> credentials,
        int database,
        String keyPrefix,
        Tls tls,
        Duration dialTimeout,
        Duration commandTimeout) {
    /** How Redis is set up. */
    public enum Mode {
        STANDALONE,
        SENTINEL,
        CLUSTER
    }

    public record Address(String host, int port) {}

    /** @param user empty for Redis' default user */
    public record Credentials(String user, String password) {
        @Override
        public String toString() {
            return user.isEmpty() ? "a password" : user + " with a password";
        }
    }

    /** @param authorities PEM certificates to trust instead of the Java runtime's */
    public record Tls(boolean enabled, boolean trustsAnyCertificate, Optional<Path> authorities) {
        public static final Tls NONE = new Tls(false, false, Optional.empty());
    }

    public RedisEndpoint {
        addresses = List.copyOf(addresses);
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("Redis needs an address");
        }
        if (mode == Mode.SENTINEL && sentinelMaster.isEmpty()) {
            throw new IllegalArgumentException("sentinel mode needs the master's name");
        }
    }

    /** One server without TLS or password. */
    public static RedisEndpoint standalone(String host, int port) {
        return plain(Mode.STANDALONE, List.of(new Address(host, port)));
    }

    /** Without TLS or password. */
    public static RedisEndpoint plain(Mode mode, List<Address> addresses) {
        return new RedisEndpoint(
                mode,
                addresses,
                Optional.empty(),
                Optional.empty(),
                0,
                "proxy",
                Tls.NONE,
                Duration.ofSeconds(5),
                Duration.ofSeconds(3));
    }

    public RedisEndpoint withTls(Tls with) {
        return new RedisEndpoint(
                mode, addresses, sentinelMaster, credentials, database, keyPrefix, with, dialTimeout, commandTimeout);
    }

    public RedisEndpoint withCredentials(Credentials with) {
        return new RedisEndpoint(
                mode,
                addresses,
                sentinelMaster,
                Optional.of(with),
                database,
                keyPrefix,
                tls,
                dialTimeout,
                commandTimeout);
    }

    public RedisEndpoint withDialTimeout(Duration timeout) {
        return new RedisEndpoint(
                mode, addresses, sentinelMaster, credentials, database, keyPrefix, tls, timeout, commandTimeout);
    }

    RedisEndpoint withTimeoutsAtMost(Duration most) {
        return withDialTimeout(shorter(dialTimeout, most)).withCommandTimeout(shorter(commandTimeout, most));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    public RedisEndpoint withCommandTimeout(Duration timeout) {
        return new RedisEndpoint(
                mode, addresses, sentinelMaster, credentials, database, keyPrefix, tls, dialTimeout, timeout);
    }
}
