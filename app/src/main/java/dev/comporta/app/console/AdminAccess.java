package dev.comporta.app.console;

import dev.comporta.console.Console;
import dev.comporta.ops.config.proxy.AdminConfig;
import dev.comporta.ops.config.proxy.Credentials;
import dev.comporta.proxy.console.ConsoleAccess;
import java.security.MessageDigest;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Checks the login of {@code proxy.admin} for the console. Without a configured login everybody is refused.
 *
 * @param config the configuration in force: read for each login
 * @param executor runs the requests
 */
public record AdminAccess(
        Supplier<AdminConfig> config, Console console, String serverName, String banner, Executor executor)
        implements ConsoleAccess {
    @Override
    public boolean isServed(String database) {
        AdminConfig admin = config.get();
        return admin.account().isPresent() && admin.database().equalsIgnoreCase(database);
    }

    @Override
    public boolean admits(String user, String password) {
        AdminConfig admin = config.get();
        if (admin.account().isEmpty()) {
            return false;
        }
        Credentials account = admin.account().get();
        // Compares digests of both together: the duration reveals nothing about which is wrong, or how much of it.
        return MessageDigest.isEqual(
                Sha256.of(user, password),
                Sha256.of(account.username(), account.password().reveal()));
    }
}
