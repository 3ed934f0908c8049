package dev.comporta.app.api;

import dev.comporta.console.ConsoleSession;
import dev.comporta.console.eval.scalar.SessionFacts;
import dev.comporta.ops.http.HttpRequest;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The console session of an HTTP request. The token allows commands.
 *
 * @param audit the audit line of its latest command; empty before the first
 */
record ApiSession(SessionFacts facts, String address, AtomicReference<String> audit) implements ConsoleSession {
    /** The login of a caller with the token, in the audit log and in events. */
    static final String LOGIN = "api";

    private static final String PRODUCT_VERSION = "16.0.1000.6";
    /** Names of programs are rarely longer; they go into the log. */
    private static final int LONGEST_NAME = 128;

    static ApiSession of(HttpRequest request, String instance) {
        String program = request.header("User-Agent");
        return new ApiSession(
                new SessionFacts(
                        0,
                        LOGIN,
                        instance,
                        "Comporta on Java " + Runtime.version().feature(),
                        PRODUCT_VERSION,
                        "",
                        program.substring(0, Math.min(program.length(), LONGEST_NAME)),
                        0),
                request.peer(),
                new AtomicReference<>(""));
    }

    @Override
    public void audited(String line) {
        audit.set(line);
    }

    @Override
    public boolean mayCommand() {
        return true;
    }
}
