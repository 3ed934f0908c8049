package dev.comporta.standin.control;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a stand-in goes wrong, on demand and changeable while it runs. Immutable; the with-methods add to it.
 *
 * @param slow waits this long before it answers a request
 * @param slowLogins waits this long before it answers a login
 * @param refuseLogins answers every login with error 18456
 * @param deadPort nobody listens: new connections are refused by the system, open ones stay
 * @param dropConnections accepts connections, and closes them at once
 * @param stopReading reads nothing more from any client, and so answers nothing
 * @param garbage answers requests with bytes that are no TDS
 * @param cutAfter cuts the connection after so many bytes of a response; {@link #NEVER} for not at all
 * @param loginsPerSecond refuses logins beyond that many in a second; 0 for no limit
 * @param silentTransactions sends no ENVCHANGE for transactions that T-SQL begins or ends, as Babelfish does
 * @param refuseBulkLoads answers a bulk load with an error at its first packet, as SQL Server may when it finds a row that
 *     it can't take, and reads the rest of it for nothing
 * @param slowEnds takes this long to end a session whose client is gone, as a server that has much to roll back: it counts
 *     the session meanwhile, and keeps its side of the connection open
 * @param maxUserConnections answers logins with error 17809 while it has so many sessions; 0 for no limit
 */
public record Misbehaviour(
        Duration slow,
        Duration slowLogins,
        boolean refuseLogins,
        boolean deadPort,
        boolean dropConnections,
        boolean stopReading,
        boolean garbage,
        long cutAfter,
        int loginsPerSecond,
        boolean silentTransactions,
        boolean refuseBulkLoads,
        Duration slowEnds,
        int maxUserConnections) {
    public static final long NEVER = -1;

    /** Behaves as SQL Server does. */
    public static final Misbehaviour NONE = new Misbehaviour(
            Duration.ZERO, Duration.ZERO, false, false, false, false, false, NEVER, 0, false, false, Duration.ZERO, 0);

    private static final Pattern DURATION = Pattern.compile("(\\d+)(ms|s|m)");

    /**
     * Parses what a command line says, such as {@code slow=200ms,refuse-logins}. The words: {@code slow=},
     * {@code slow-logins=}, {@code refuse-logins}, {@code dead-port}, {@code drop-connections}, {@code stop-reading},
     * {@code garbage}, {@code cut-after=} bytes, {@code logins-per-second=}, {@code silent-transactions},
     * {@code refuse-bulk-loads}, {@code slow-ends=}, {@code max-user-connections=}, {@code none}.
     *
     * @throws IllegalArgumentException whose message names the word that is wrong
     */
    public static Misbehaviour parse(String specification) {
        Misbehaviour result = NONE;
        for (String word : specification.split(",", -1)) {
            result = result.with(word.strip());
        }
        return result;
    }

    private Misbehaviour with(String word) {
        int equals = word.indexOf('=');
        String key = equals < 0 ? word : word.substring(0, equals);
        String value = equals < 0 ? "" : word.substring(equals + 1);
        boolean takesValue = switch (key) {
            case "slow", "slow-logins", "slow-ends", "cut-after", "logins-per-second", "max-user-connections" -> true;
            default -> false;
        };
        if (takesValue == value.isEmpty()) {
            throw new IllegalArgumentException(
                    "'" + word + "': '" + key + "' takes " + (takesValue ? "a value" : "no value"));
        }
        return switch (key) {
            case "slow" -> withSlow(duration(word, value));
            case "slow-logins" -> withSlowLogins(duration(word, value));
            case "refuse-logins" -> withRefuseLogins(true);
            case "dead-port" -> withDeadPort(true);
            case "drop-connections" -> withDropConnections(true);
            case "stop-reading" -> withStopReading(true);
            case "garbage" -> withGarbage(true);
            case "cut-after" -> withCutAfter(number(word, value));
            case "logins-per-second" -> withLoginsPerSecond((int) number(word, value));
            case "silent-transactions" -> withSilentTransactions(true);
            case "refuse-bulk-loads" -> withRefuseBulkLoads(true);
            case "slow-ends" -> withSlowEnds(duration(word, value));
            case "max-user-connections" -> withMaxUserConnections((int) number(word, value));
            case "none" -> this;
            default ->
                throw new IllegalArgumentException("'" + word
                        + "' is no misbehaviour; there are slow=, slow-logins=, refuse-logins, dead-port,"
                        + " drop-connections, stop-reading, garbage, cut-after=, logins-per-second=,"
                        + " silent-transactions, refuse-bulk-loads, slow-ends=, max-user-connections=, none");
        };
    }

    private static Duration duration(String word, String value) {
        Matcher matcher = DURATION.matcher(value);
        if (!matcher.matches() || matcher.group(1).length() > 9) {
            throw new IllegalArgumentException("'" + word + "': a duration is like 200ms, 5s or 1m");
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            default -> Duration.ofMinutes(amount);
        };
    }

    private static long number(String word, String value) {
        if (!value.matches("\\d{1,9}")) {
            throw new IllegalArgumentException("'" + word + "': a whole number is expected");
        }
        return Long.parseLong(value);
    }

    public Misbehaviour withSlow(Duration delay) {
        return new Misbehaviour(
                delay,
                slowLogins,
                refuseLogins,
                deadPort,
                dropConnections,
                stopReading,
                garbage,
                cutAfter,
                loginsPerSecond,
                silentTransactions,
                refuseBulkLoads,
                slowEnds,
                maxUserConnections);
    }

    public Misbehaviour withSlowLogins(Duration delay) {
        return new Misbehaviour(
                slow,
                delay,
                refuseLogins,
                deadPort,
                dropConnections,
                stopReading,
                garbage,
                cutAfter,
                loginsPerSecond,
                silentTransactions,
                refuseBulkLoads,
                slowEnds,
                maxUserConnections);
    }

    public Misbehaviour withRefuseLogins(boolean on) {
        return new Misbehaviour(
                slow,
                slowLogins,
                on,
                deadPort,
                dropConnections,
                stopReading,
                garbage,
                cutAfter,
                loginsPerSecond,
                silentTransactions,
                refuseBulkLoads,
                slowEnds,
                maxUserConnections);
    }

    public Misbehaviour withDeadPort(boolean on) {
        return new Misbehaviour(
                slow,
                slowLogins,
                refuseLogins,
                on,
                dropConnections,
                stopReading,
                garbage,
                cutAfter,
                loginsPerSecond,
                silentTransactions,
                refuseBulkLoads,
                slowEnds,
                maxUserConnections);
    }

    public Misbehaviour withDropConnections(boolean on) {
        return new Misbehaviour(
                slow,
                slowLogins,
                refuseLogins,
                deadPort,
                on,
                stopReading,
                garbage,
                cutAfter,
                loginsPerSecond,
                silentTransactions,
                refuseBulkLoads,
                slowEnds,
                maxUserConnections);
    }

    public Misbehaviour withStopReading(boolean on) {
        return new Misbehaviour(
                slow,
                slowLogins,
                refuseLogins,
                deadPort,
                dropConnections,
                on,
                garbage,
                cutAfter,
                loginsPerSecond,
                silentTransactions,
                refuseBulkLoads,
                slowEnds,
                maxUserConnections);
    }

    public Misbehaviour withGarbage(boolean on) {
        return new Misbehaviour(
                slow,
                slowLogins,
                refuseLogins,
                deadPort,
                dropConnections,
                stopReading,
                on,
                cutAfter,
                loginsPerSecond,
                silentTransactions,
                refuseBulkLoads,
                slowEnds,
                maxUserConnections);
    }

    public Misbehaviour withCutAfter(long bytes) {
        return new Misbehaviour(
                slow,
                slowLogins,
                refuseLogins,
                deadPort,
                dropConnections,
                stopReading,
                garbage,
                bytes,
                loginsPerSecond,
                silentTransactions,
                refuseBulkLoads,
                slowEnds,
                maxUserConnections);
    }

    public Misbehaviour withLoginsPerSecond(int limit) {
        return new Misbehaviour(
                slow,
                slowLogins,
                refuseLogins,
                deadPort,
                dropConnections,
                stopReading,
                garbage,
                cutAfter,
                limit,
                silentTransactions,
                refuseBulkLoads,
                slowEnds,
                maxUserConnections);
    }

    public Misbehaviour withSilentTransactions(boolean on) {
        return new Misbehaviour(
                slow,
                slowLogins,
                refuseLogins,
                deadPort,
                dropConnections,
                stopReading,
                garbage,
                cutAfter,
                loginsPerSecond,
                on,
                refuseBulkLoads,
                slowEnds,
                maxUserConnections);
    }

    public Misbehaviour withRefuseBulkLoads(boolean on) {
        return new Misbehaviour(
                slow,
                slowLogins,
                refuseLogins,
                deadPort,
                dropConnections,
                stopReading,
                garbage,
                cutAfter,
                loginsPerSecond,
                silentTransactions,
                on,
                slowEnds,
                maxUserConnections);
    }

    public Misbehaviour withSlowEnds(Duration delay) {
        return new Misbehaviour(
                slow,
                slowLogins,
                refuseLogins,
                deadPort,
                dropConnections,
                stopReading,
                garbage,
                cutAfter,
                loginsPerSecond,
                silentTransactions,
                refuseBulkLoads,
                delay,
                maxUserConnections);
    }

    public Misbehaviour withMaxUserConnections(int most) {
        return new Misbehaviour(
                slow,
                slowLogins,
                refuseLogins,
                deadPort,
                dropConnections,
                stopReading,
                garbage,
                cutAfter,
                loginsPerSecond,
                silentTransactions,
                refuseBulkLoads,
                slowEnds,
                most);
    }
}
