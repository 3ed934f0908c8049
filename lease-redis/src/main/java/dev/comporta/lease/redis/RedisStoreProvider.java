package dev.comporta.lease.redis;

import dev.comporta.lease.url.SettingNames;
import dev.comporta.lease.url.StoreOpener;
import dev.comporta.lease.url.StoreProvider;
import dev.comporta.lease.url.StoreUrl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * {@code redis://[USER:PASSWORD@]HOST[:PORT][,HOST…][/DATABASE][?OPTION=VALUE…]}, with {@code rediss} for TLS. The options
 * have the names of the proxy's keys.
 */
public final class RedisStoreProvider implements StoreProvider {
    private static final int PORT = 6379;
    private static final String TLS = "rediss";

    /** The defaults of the proxy's {@code redis} section. */
    private static final Duration DIAL_TIMEOUT = Duration.ofSeconds(5);

    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(3);

    private static final Set<String> OPTIONS =
            Set.of("mode", "sentinel_master", "key_prefix", "ca_file", "trust_server_certificate");

    @Override
    public Set<String> schemes() {
        return Set.of("redis", TLS);
    }

    @Override
    public StoreOpener read(StoreUrl url) {
        RedisEndpoint endpoint = endpoint(url);
        return me -> RedisLeaseStore.connect(me, endpoint, SettingNames.URL);
    }

    static RedisEndpoint endpoint(StoreUrl url) {
        url.allow(OPTIONS);
        if (!url.body().startsWith("//")) {
            throw new IllegalArgumentException("write " + url.scheme() + "://HOST:" + PORT);
        }
        String[] authorityAndPath = url.body().substring(2).split("/", 2);
        String authority = authorityAndPath[0];
        int at = authority.lastIndexOf('@');
        RedisEndpoint.Mode mode = mode(url);
        List<RedisEndpoint.Address> addresses = addresses(authority.substring(at + 1));
        if (mode == RedisEndpoint.Mode.STANDALONE && addresses.size() > 1) {
            throw new IllegalArgumentException(
                    "a standalone Redis has one address: add mode=cluster or mode=sentinel, or give one address");
        }
        Optional<String> master = url.option("sentinel_master");
        if (mode == RedisEndpoint.Mode.SENTINEL && master.isEmpty()) {
            throw new IllegalArgumentException(
                    "sentinels are asked for a master by its name: add sentinel_master=NAME");
        }
        int database = database(authorityAndPath.length < 2 ? "" : authorityAndPath[1]);
        if (mode == RedisEndpoint.Mode.CLUSTER && database != 0) {
            throw new IllegalArgumentException("a Redis Cluster has database 0 only: remove /" + database);
        }
        return new RedisEndpoint(
                mode,
                addresses,
                master,
                at < 0 ? Optional.empty() : Optional.of(credentials(authority.substring(0, at))),
                database,
                url.option("key_prefix").orElse("proxy"),
                tls(url),
                DIAL_TIMEOUT,
                COMMAND_TIMEOUT);
    }

    private static RedisEndpoint.Mode mode(StoreUrl url) {
        String text = url.option("mode").orElse("standalone");
        return switch (text) {
            case "standalone" -> RedisEndpoint.Mode.STANDALONE;
            case "sentinel" -> RedisEndpoint.Mode.SENTINEL;
            case "cluster" -> RedisEndpoint.Mode.CLUSTER;
            default ->
                throw new IllegalArgumentException("mode is '" + text + "': set one of standalone, sentinel, cluster");
        };
    }

    private static List<RedisEndpoint.Address> addresses(String text) {
        List<RedisEndpoint.Address> all = new ArrayList<>();
        for (String one : text.split(",", -1)) {
            all.add(address(one));
        }
        return all;
    }

    private static RedisEndpoint.Address address(String text) {
        // An IPv6 address stands in brackets, as in every URL.
        int colon = text.lastIndexOf(':') > text.lastIndexOf(']') ? text.lastIndexOf(':') : -1;
        String host =
                (colon < 0 ? text : text.substring(0, colon)).replace("[", "").replace("]", "");
        if (host.isEmpty()) {
            throw new IllegalArgumentException("the host is missing: write redis://HOST:" + PORT);
        }
        return new RedisEndpoint.Address(host, colon < 0 ? PORT : port(text.substring(colon + 1)));
    }

    private static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            if (port > 0 && port < 65_536) {
                return port;
            }
        } catch (NumberFormatException _) {
            // reported below
        }
        throw new IllegalArgumentException("the port is '" + text + "': set a number from 1 to 65535");
    }

    private static int database(String text) {
        if (text.isEmpty()) {
            return 0;
        }
        try {
            int database = Integer.parseInt(text);
            if (database >= 0) {
                return database;
            }
        } catch (NumberFormatException _) {
            // reported below
        }
        throw new IllegalArgumentException("the database is '" + text + "': set its number, or nothing for 0");
    }

    private static RedisEndpoint.Credentials credentials(String userInfo) {
        int colon = userInfo.indexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException(
                    "there is a user without a password: write USER:PASSWORD@, or :PASSWORD@ for Redis' default user");
        }
        return new RedisEndpoint.Credentials(
                StoreUrl.decoded(userInfo.substring(0, colon)), StoreUrl.decoded(userInfo.substring(colon + 1)));
    }

    private static RedisEndpoint.Tls tls(StoreUrl url) {
        Optional<Path> authorities = url.option("ca_file").map(Path::of);
        boolean trustsAny = url.flag("trust_server_certificate", false);
        if (!url.scheme().equals(TLS)) {
            if (authorities.isPresent() || trustsAny) {
                throw new IllegalArgumentException(
                        "ca_file and trust_server_certificate are about TLS: write rediss://, or remove them");
            }
            return RedisEndpoint.Tls.NONE;
        }
        if (authorities.isPresent() && !Files.isReadable(authorities.get())) {
            throw new IllegalArgumentException("ca_file " + authorities.get() + " can't be read: correct its path");
        }
        return new RedisEndpoint.Tls(true, trustsAny, authorities);
    }
}
