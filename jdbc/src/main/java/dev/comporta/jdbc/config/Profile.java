package dev.comporta.jdbc.config;

import dev.comporta.jdbc.dialect.Dialect;
import dev.comporta.jdbc.dialect.DsqlHost;
import dev.comporta.jdbc.session.Credentials;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Settings that suit one kind of server: its defaults, and the values that it does not allow. */
public enum Profile {
    /** The URL decides. */
    AUTO,
    NONE,
    DSQL;

    /** Aurora DSQL ends a session after 60 minutes and a transaction may take 5: a connection older than this may not be lent. */
    private static final Duration LONGEST_DSQL_LIFE = Duration.ofMinutes(55);

    private static final Map<Setting, String> DSQL_DEFAULTS = Map.of(
            Setting.MAX_LIFETIME, "13m", // 11m and up to 2m more
            Setting.LIFETIME_JITTER, "2m",
            Setting.GUARD_WINDOW, "45s",
            Setting.CONNECT_RATE, "100",
            Setting.FLEET_LIMIT, "10000");

    /** Values of pgjdbc's sslmode that allow a connection without TLS. */
    private static final Set<String> WITHOUT_TLS = Set.of("disable", "allow", "prefer");

    static boolean isDsql(Settings s) {
        return switch (s.choice(Setting.PROFILE, Profile.class)) {
            case AUTO -> DsqlHost.of(s.text(Setting.JDBC_URL)).isPresent();
            case NONE -> false;
            case DSQL -> true;
        };
    }

    /**
     * The settings as they take effect: explicit settings go first, then environment variables, then the profile's
     * defaults, then the usual ones.
     *
     * @throws IllegalArgumentException if a setting is wrong; its message names it
     */
    public static Settings over(Settings given) {
        Settings s = new Settings(given);
        if (isDsql(s)) {
            DSQL_DEFAULTS.forEach(s::setDefault);
            new DsqlEnvironment(s.environment()).addTo(s);
            checkDsql(s);
        }
        return s;
    }

    private static void checkDsql(Settings s) {
        if (!s.text(Setting.JDBC_URL).startsWith("jdbc:postgresql:")) {
            throw s.wrong(Setting.PROFILE, "with it, set a jdbcUrl that begins with jdbc:postgresql:");
        }
        Duration longest = s.time(Setting.MAX_LIFETIME);
        Duration guard = s.time(Setting.GUARD_WINDOW);
        if (longest.isZero() || longest.plus(guard).compareTo(LONGEST_DSQL_LIFE) >= 0) {
            throw s.wrong(
                    Setting.MAX_LIFETIME,
                    "set less than 55m together with guardWindow, which is " + guard.toMillis()
                            + " ms: Aurora DSQL ends sessions after 60 minutes, and a transaction may take 5");
        }
        String autosave = driverSetting(s, "autosave");
        if (autosave != null && !autosave.equals("never")) {
            throw new IllegalArgumentException("autosave is \"" + autosave
                    + "\": Aurora DSQL has no savepoints, so set it to never or leave it out");
        }
        String sslMode = driverSetting(s, "sslmode");
        if (sslMode != null && WITHOUT_TLS.contains(sslMode)) {
            throw new IllegalArgumentException("sslmode is \"" + sslMode
                    + "\": Aurora DSQL takes connections over TLS only, so set it to verify-full or leave it out");
        }
    }

    /** A setting of the driver, from the URL, which takes precedence, or from a property. */
    private static @Nullable String driverSetting(Settings s, String name) {
        Matcher inUrl = Pattern.compile("[?&]" + name + "=([^&]*)", Pattern.CASE_INSENSITIVE)
                .matcher(s.text(Setting.JDBC_URL));
        String value = inUrl.find() ? inUrl.group(1) : s.driverProperties().getProperty(name);
        return value == null ? null : value.strip().toLowerCase(Locale.ROOT);
    }

    static Dialect dialect(Settings s) {
        if (isDsql(s)) {
            return Dialect.AURORA_DSQL;
        }
        Dialect byUrl = Dialect.of(s.text(Setting.JDBC_URL));
        return byUrl == Dialect.AURORA_DSQL ? Dialect.POSTGRESQL : byUrl;
    }

    /** A login without a password gets a token, a fresh one for each connection that is opened. */
    static Credentials credentials(Settings s, Credentials given) {
        return isDsql(s) ? new DsqlCredentials(given, dsqlHost(s), dsqlRegion(s)) : given;
    }

    /** The cluster's host name. In a fleet it names the limit that the pools share, whatever the pools' names. */
    static String dsqlHost(Settings s) {
        return DsqlHost.hostOf(s.text(Setting.JDBC_URL))
                .orElseThrow(() -> s.wrong(Setting.PROFILE, "with it, set a jdbcUrl with one host"));
    }

    private static Optional<String> dsqlRegion(Settings s) {
        return DsqlHost.of(s.text(Setting.JDBC_URL))
                .map(DsqlHost::region)
                .or(() -> Optional.ofNullable(s.environment().get("AWS_REGION")));
    }
}
