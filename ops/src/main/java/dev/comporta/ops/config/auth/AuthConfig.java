package dev.comporta.ops.config.auth;

import dev.comporta.ops.config.proxy.Credentials;
import dev.comporta.ops.config.value.HiddenText;
import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Consistency;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import dev.comporta.ops.config.yaml.SectionsKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * How clients of a bucket prove who they are.
 *
 * @param account Comporta's own login: the service account when mapped; otherwise for the reservoir and health checks
 * @param command replaces {@code account} if a command prints the service account's password
 * @param logins settings of single logins; with {@code mapped}, clients log in with the passwords given here, if there are any
 * @param credentialTtl how long a password that the database has accepted is accepted without asking it again
 */
public record AuthConfig(
        AuthMode mode,
        Optional<Credentials> account,
        Optional<AccountCommand> command,
        List<LoginConfig> logins,
        Duration credentialTtl) {
    static final Key<String> USERNAME = Key.derived("username", ValueTypes.text("a login"), "clients' own logins only");
    public static final Key<HiddenText> PASSWORD =
            Key.derived("password", ValueTypes.secret(), "clients' own logins only");
    private static final Key<AuthMode> AUTH = Key.of("auth", ValueTypes.choice(AuthMode.class), "passthrough");
    private static final Key<Duration> CREDENTIAL_TTL = Key.of("credential_ttl", ValueTypes.durationOrOff(), "5m");
    private static final SectionsKey LOGINS = new SectionsKey("logins", LoginConfig.SCHEMA, "username");

    public static final Schema SCHEMA =
            Schema.of(USERNAME, PASSWORD, AUTH, CREDENTIAL_TTL, LOGINS).plus(AccountCommand.SCHEMA);

    public AuthConfig {
        logins = List.copyOf(logins);
        new Consistency()
                .refuse(
                        mode == AuthMode.MAPPED && account.isEmpty() && command.isEmpty(),
                        "auth",
                        "username",
                        "password")
                .because(
                        "Mapped authentication needs the service account to use at the database.",
                        "Add 'username:' and 'password:' or 'password_command:'.")
                .refuse(
                        command.isPresent()
                                && logins.stream()
                                        .noneMatch(login -> login.password().isPresent()),
                        "password_command",
                        "logins")
                .because(
                        "Nobody could log in: no login of the bucket has a password, and the account's own is not known.",
                        "Add 'logins:' with a password each.")
                .orThrow();
    }

    public static AuthConfig read(Section section, int maxConnectionsPerLogin) {
        return section.make(bucket -> from(bucket, maxConnectionsPerLogin));
    }

    private static AuthConfig from(Section section, int maxConnectionsPerLogin) {
        AuthMode mode = section.get(AUTH);
        Optional<AccountCommand> command = AccountCommand.read(section, USERNAME, PASSWORD, mode);
        return new AuthConfig(
                mode,
                command.isPresent() ? Optional.empty() : Credentials.read(section, USERNAME, PASSWORD),
                command,
                logins(section, mode, maxConnectionsPerLogin),
                section.get(CREDENTIAL_TTL));
    }

    private static List<LoginConfig> logins(Section section, AuthMode mode, int maxConnectionsPerLogin) {
        List<LoginConfig> logins = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Section item : section.children(LOGINS, null)) {
            LoginConfig login = LoginConfig.read(item, maxConnectionsPerLogin);
            if (!names.add(login.username().toLowerCase(Locale.ROOT))) {
                item.error("username", "This login is listed twice.", "Remove one.");
            }
            if (mode == AuthMode.PASSTHROUGH && login.password().isPresent()) {
                item.warn(
                        "password",
                        "It has no effect: with passthrough the database checks the credentials.",
                        "Set 'auth: mapped', or remove it.");
            }
            logins.add(login);
        }
        return logins;
    }
}
