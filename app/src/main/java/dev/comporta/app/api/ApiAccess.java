package dev.comporta.app.api;

import dev.comporta.app.console.Event;
import dev.comporta.app.console.EventLog;
import dev.comporta.app.console.Sha256;
import dev.comporta.ops.config.proxy.AdminConfig;
import dev.comporta.ops.config.value.HiddenText;
import dev.comporta.ops.http.HttpRequest;
import dev.comporta.ops.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks the token of {@code proxy.admin}. Without a configured token every request is refused. Any thread. */
final class ApiAccess {
    private static final String SCHEME = "bearer ";
    /** Slows guessing down; a person who has mistyped the token hardly notices. */
    private static final Duration DELAY = Duration.ofMillis(500);
    /**
     * The number of callers that are delayed at a time; others are refused at once, because each of them takes one of the
     * port's connections, which health checks need too. The token's length prevents guessing more than the delay does.
     */
    private static final int MOST_DELAYED = 8;
    /** The least time between two lines of the log. */
    private static final Duration QUIET = Duration.ofSeconds(10);

    private static final Logger log = LoggerFactory.getLogger(ApiAccess.class);

    private final Supplier<AdminConfig> config;
    private final EventLog events;
    private final Semaphore delays = new Semaphore(MOST_DELAYED);
    private final AtomicLong loggedAt = new AtomicLong(System.nanoTime() - QUIET.toNanos());
    private final AtomicLong unlogged = new AtomicLong();

    /** @param config the configuration in force: read for each request */
    ApiAccess(Supplier<AdminConfig> config, EventLog events) {
        this.config = config;
        this.events = events;
    }

    /** The refusal of a request without the right token; empty if it has the token. Blocks for a moment if the token is wrong. */
    Optional<HttpResponse> refusal(HttpRequest request) {
        Optional<HiddenText> token = config.get().token();
        if (token.isEmpty()) {
            return Optional.of(ApiAnswers.refusal(
                    404,
                    "The admin API is closed, because it has no token. Set proxy.admin.token in proxy.yaml and reload"
                            + " (SIGHUP)."));
        }
        String given = request.header("Authorization");
        boolean isBearer = given.toLowerCase(Locale.ROOT).startsWith(SCHEME);
        if (!isBearer) {
            return Optional.of(unauthorized(
                    "The admin API needs the token of proxy.admin.token: send the header 'Authorization: Bearer"
                            + " TOKEN'.",
                    ""));
        }
        String guess = given.substring(SCHEME.length()).strip();
        // Compares digests: the duration reveals neither the token's length nor how much of the guess is right.
        if (Sha256.isSame(guess, token.get().reveal())) {
            return Optional.empty();
        }
        report(request.peer());
        delay();
        return Optional.of(unauthorized(
                "The token is not that of proxy.admin.token on this instance.", ", error=\"invalid_token\""));
    }

    private static HttpResponse unauthorized(String why, String error) {
        return ApiAnswers.refusal(401, why).with("WWW-Authenticate", "Bearer realm=\"comporta\"" + error);
    }

    private void report(String peer) {
        events.add(Event.Kind.LOGIN_REFUSED, "", peer, ApiSession.LOGIN, "The token of the admin API was wrong.");
        long now = System.nanoTime();
        long before = loggedAt.get();
        if (now - before >= QUIET.toNanos() && loggedAt.compareAndSet(before, now)) {
            long more = unlogged.getAndSet(0);
            log.warn(
                    "admin API: wrong token from {}{}",
                    peer,
                    more == 0 ? "" : ", and " + more + " other requests with a wrong token since the last such line");
        } else {
            unlogged.incrementAndGet();
        }
    }

    private void delay() {
        if (!delays.tryAcquire()) {
            return;
        }
        try {
            Thread.sleep(DELAY);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            delays.release();
        }
    }
}
