package dev.comporta.proxy.console;

import dev.comporta.console.Console;
import java.util.concurrent.Executor;

/** What the host decides of the console. Asked on any thread, for each login: settings may change. */
public interface ConsoleAccess {
    /** Whether clients that name this database want the console; never while nobody may log in to it. */
    boolean isServed(String database);

    /** Whether they are the console's login and its password. Takes the same time for all that are wrong. */
    boolean admits(String user, String password);

    Console console();

    /** What the server calls itself. */
    String serverName();

    /** For {@code @@VERSION}. */
    String banner();

    /** Runs requests, each of which may wait. */
    Executor executor();
}
