package dev.comporta.ops.config.auth;

import dev.comporta.ops.config.value.HiddenText;
import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Consistency;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.ListKey;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A service account whose password a command prints.
 *
 * @param arguments the command first
 * @param ttl how long a password is used before the command is run again; zero for one login
 * @param timeout how long the command may take
 */
public record AccountCommand(String username, List<String> arguments, Duration ttl, Duration timeout) {
    private static final ListKey<String> PASSWORD_COMMAND =
            ListKey.of("password_command", ValueTypes.text("a command or one of its arguments"), "none");
    private static final Key<Duration> PASSWORD_TTL = Key.of("password_ttl", ValueTypes.durationOrOff(), "1m");
    private static final Key<Duration> PASSWORD_TIMEOUT = Key.of("password_timeout", ValueTypes.duration(), "10s");

    static final Schema SCHEMA = Schema.of(PASSWORD_COMMAND, PASSWORD_TTL, PASSWORD_TIMEOUT);

    public AccountCommand {
        arguments = List.copyOf(arguments);
    }

    static Optional<AccountCommand> read(
            Section section, Key<String> usernameKey, Key<HiddenText> passwordKey, AuthMode mode) {
        List<String> arguments = section.list(PASSWORD_COMMAND);
        String username = section.find(usernameKey);
        boolean given = !arguments.isEmpty();
        refuse(given, username, section.find(passwordKey) != null, mode);
        return given && username != null
                ? Optional.of(new AccountCommand(
                        username, arguments, section.get(PASSWORD_TTL), section.get(PASSWORD_TIMEOUT)))
                : Optional.empty();
    }

    private static void refuse(boolean given, @Nullable String username, boolean password, AuthMode mode) {
        new Consistency()
                .refuse(given && password, "password_command", "password")
                .because(
                        "There are two passwords for the account: one here, and one that the command prints.",
                        "Remove 'password:' or 'password_command:'.")
                .refuse(given && username == null, "password_command", "username")
                .because("There is a command for a password, but no login to use it with.", "Add 'username:'.")
                .refuse(given && mode == AuthMode.PASSTHROUGH, "password_command", "auth")
                .because(
                        "The command prints the password of a service account, and with passthrough clients log in"
                                + " with their own.",
                        "Set 'auth: mapped', or use 'password:'.")
                .orThrow();
    }
}
