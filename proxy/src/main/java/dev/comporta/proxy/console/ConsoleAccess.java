package dev.comporta.proxy.console;

import dev.comporta.console.Console;
import java.util.concurrent.Executor;

/** The host's decisions about the console. Called on any thread, for each login, as settings may change. */
public interface ConsoleAccess {
    /** Whether this database name means the console; false while no login for the console is configured. */
    boolean isServed(String database);

    /** Whether this is the console's login and password. Takes the same time for all wrong ones. */
    boolean admits(String user, String password);

    Console console();

    /** The server's name in messages and {@code @@SERVERNAME}. */
    String serverName();

    /** The text of {@code @@VERSION}. */
    String banner();

    /** Runs requests, which may block. */
    Executor executor();
}
