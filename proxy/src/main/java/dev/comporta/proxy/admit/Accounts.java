package dev.comporta.proxy.admit;

import dev.comporta.pool.settings.LoginSettings;
import dev.comporta.proxy.listen.SocketLimits;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.proxy.loop.BucketSpec.Authentication;
import dev.comporta.proxy.loop.BucketSpec.Credentials;
import dev.comporta.proxy.loop.BucketSpec.SessionIdentity;
import dev.comporta.tds.login.FeatureExtension;
import dev.comporta.tds.login.Login7;
import dev.comporta.tds.login.Login7Builder;
import dev.comporta.tds.login.Secret;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Chooses the login that opens a client's connections at the server, and the login whose limit they count against. Immutable. */
final class Accounts {
    /**
     * @param login the login that the server authenticates
     * @param countedAs the login against whose limit its connections count, and in whose turn the queue serves it
     * @param service whether it is the bucket's service account, whose password is asked of the bucket each time a connection
     *     is opened; otherwise the login has its own
     */
    record Account(Login7 login, String countedAs, boolean service) {}

    private static final int JDBC_PACKET_SIZE = 8000;
    private static final String NAME = "comporta";
    private static final FeatureExtension USER_AGENT =
            new FeatureExtension(FeatureExtension.USERAGENT, ("1|" + NAME).getBytes(StandardCharsets.UTF_16LE));

    private final BucketSpec spec;
    private final SocketLimits limits;
    private final boolean eachCounts;
    /** The logins as the configuration spells them, by their canonical names. */
    private final Map<String, String> spelled = new HashMap<>();

    Accounts(BucketSpec spec, SocketLimits limits) {
        this.spec = spec;
        this.limits = limits;
        LoginSettings logins = spec.settings().logins();
        logins.rules().keySet().forEach(login -> spelled.put(canonical(login), login));
        eachCounts = logins.fair()
                || logins.limit() > 0
                || logins.rules().values().stream().anyMatch(rule -> rule.limit() > 0 || rule.weight() > 1);
    }

    /** The account for a client; null when the proxy itself has checked its login ({@code auth: mapped}) and rejects it. */
    @Nullable
    Account of(Login7 login) {
        // A gateway in front of several servers routes by the server name.
        Login7Builder addressed =
                login.toBuilder().serverName(spec.dial().host()).packetSize(limits.agreeTo(login.packetSize()));
        if (!(spec.authentication() instanceof Authentication.Mapped mapped)) {
            return new Account(addressed.build(), counted(login.userName()), false);
        }
        boolean byPassword = !login.isIntegrated() && (login.optionFlags3() & Login7.FLAG3_CHANGE_PASSWORD) == 0;
        Credentials client = find(mapped.clients(), login.userName(), login.password());
        if (!byPassword || client == null) {
            return null;
        }
        Login7 mine = addressed
                .userName(mapped.account().user())
                .password(mapped.account().password())
                .build();
        return new Account(mine, counted(eachCounts ? client.user() : mine.userName()), true);
    }

    /**
     * The login whose limit applies. Spellings that most servers take as equal count as one login, under the configuration's
     * spelling if it names the login. The pool's key has what the client sent, so that the server decides.
     */
    private String counted(String user) {
        return spelled.getOrDefault(canonical(user), canonical(user));
    }

    /** Most servers ignore case, full-width forms and trailing blanks. */
    static String canonical(String user) {
        return Normalizer.normalize(user, Normalizer.Form.NFKC)
                .stripTrailing()
                .toUpperCase(Locale.ROOT)
                .toLowerCase(Locale.ROOT);
    }

    private static @Nullable Credentials find(List<Credentials> clients, String user, Secret password) {
        Credentials found = null;
        for (Credentials client : clients) {
            // Each password is compared, whatever the user, so that the time taken does not reveal which users exist.
            boolean samePassword = client.password().equals(password);
            if (client.user().equalsIgnoreCase(user) && samePassword) {
                found = client;
            }
        }
        return found;
    }

    /**
     * The login that opens shared connections for a client and others like it. It has nothing of this client alone: the
     * server would attribute the next client's work to it.
     */
    Login7 shared(Account account) {
        Login7 login = account.login();
        // With session recovery, the driver would reconnect with the state of a shared connection.
        List<FeatureExtension> features = login.features().stream()
                .filter(feature -> feature.id() != FeatureExtension.SESSIONRECOVERY)
                .map(feature -> feature.id() == FeatureExtension.USERAGENT ? USER_AGENT : feature)
                .toList();
        Login7Builder shared = login.toBuilder()
                .clientPid((int) ProcessHandle.current().pid())
                .clientProgVersion(0)
                .clientId(0)
                .connectionId(0)
                .timeZone(0)
                .interfaceName(NAME)
                .features(features);
        if (account.service()) {
            shared.password(Secret.EMPTY);
        }
        return switch (spec.identity()) {
            case SessionIdentity.Pool(String hostName) ->
                shared.appName(NAME).hostName(hostName).build();
            case SessionIdentity.Client() -> shared.build();
        };
    }

    /**
     * The configured account with the login profile that its clients will probably have: that of mssql-jdbc 13 with its
     * defaults, and the bucket's database. Null when no account is configured, or when the server sees the clients' own host
     * and application names, which can't be guessed.
     */
    @Nullable
    Account expected() {
        Credentials account = switch (spec.authentication()) {
            case Authentication.Passthrough passthrough -> passthrough.account();
            case Authentication.Mapped mapped -> mapped.account();
        };
        if (account == null || spec.identity() instanceof SessionIdentity.Client) {
            return null;
        }
        Login7 login = new Login7Builder()
                .packetSize(limits.agreeTo(JDBC_PACKET_SIZE))
                .optionFlags3(Login7.FLAG3_UNKNOWN_COLLATION_HANDLING | Login7.FLAG3_EXTENSION)
                .lcid(0)
                .userName(account.user())
                .password(account.password())
                .serverName(spec.dial().host())
                .database(spec.database())
                .features(List.of(
                        USER_AGENT,
                        feature(FeatureExtension.COLUMNENCRYPTION, 1),
                        feature(FeatureExtension.DATACLASSIFICATION, 2),
                        feature(FeatureExtension.UTF8_SUPPORT),
                        feature(FeatureExtension.AZURESQLDNSCACHING),
                        feature(FeatureExtension.VECTORSUPPORT, 1),
                        feature(FeatureExtension.JSONSUPPORT, 1),
                        feature(FeatureExtension.ENHANCEDROUTINGSUPPORT)))
                .build();
        return new Account(login, counted(account.user()), spec.authentication() instanceof Authentication.Mapped);
    }

    private static FeatureExtension feature(int id, int... version) {
        byte[] data = new byte[version.length];
        for (int i = 0; i < version.length; i++) {
            data[i] = (byte) version[i];
        }
        return feature(id, data);
    }

    private static FeatureExtension feature(int id, byte[] data) {
        return new FeatureExtension(id, data);
    }
}
