package dev.comporta.standin.control;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The faults of a stand-in, on demand and changeable while it runs. Immutable; the with-methods add to it.
 *
 * @param slow the delay before it answers a request
 * @param slowLogins the delay before it answers a login
 * @param refuseLogins answers every login with error 18456
 * @param deadPort does not listen: the system refuses new connections, open ones stay
 * @param dropConnections accepts connections, and closes them at once
 * @param stopReading reads nothing more from any client, and so answers nothing
 * @param garbage answers requests with bytes that are not TDS
 * @param cutAfter cuts the connection after this many bytes of a response; {@link #NEVER} to disable it
 * @param loginsPerSecond refuses logins beyond this many per second; 0 for no limit
 * @param silentTransactions sends no ENVCHANGE for transactions that T-SQL begins or ends, like Babelfish
 * @param refuseBulkLoads answers a bulk load with an error at its first packet, as SQL Server may when it finds an invalid
 *     row, and reads and discards the rest of it
 * @param slowEnds the time that it takes to end a session whose client has disconnected, like a server with much to roll
 *     back: it counts the session meanwhile, and keeps its side of the connection open
 * @param maxUserConnections answers logins with an error while it has this many sessions; 0 for no limit
 * @param fullError the number of that error
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
        int maxUserConnections,
        int fullError) {
    public static final long NEVER = -1;
    /** SQL Server's error when the limit of user connections in sp_configure is reached. */
    public static final int TOO_MANY_USER_CONNECTIONS = 17809;

    /** Behaves as SQL Server does. */
    public static final Misbehaviour NONE = new Misbehaviour(
            Duration.ZERO,
            Duration.ZERO,
            false,
            false,
            false,
            false,
            false,
            NEVER,
            0,
            false,
            false,
            Duration.ZERO,
            0,
            TOO_MANY_USER_CONNECTIONS);

    private static final Pattern DURATION = Pattern.compile("(\\d+)(ms|s|m)");

    /**
     * Parses the text of a command line, such as {@code slow=200ms,refuse-logins}. The words: {@code slow=},
     * {@code slow-logins=}, {@code refuse-logins}, {@code dead-port}, {@code drop-connections}, {@code stop-reading},
     * {@code garbage}, {@code cut-after=} bytes, {@code logins-per-second=}, {@code silent-transactions},
     * {@code refuse-bulk-loads}, {@code slow-ends=}, {@code max-user-connections=}, {@code full-error=}, {@code none}.
     *
     * @throws IllegalArgumentException whose message names the wrong word
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
            case "slow",
                    "slow-logins",
                    "slow-ends",
                    "cut-after",
                    "logins-per-second",
                    "max-user-connections",
                    "full-error" -> true;
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
            case "full-error" -> withFullError((int) number(word, value));
            case "none" -> this;
            default ->
                throw new IllegalArgumentException(
                        "'" + word
                                + "' is no misbehaviour; there are slow=, slow-logins=, refuse-logins, dead-port,"
                                + " drop-connections, stop-reading, garbage, cut-after=, logins-per-second=,"
                                + " silent-transactions, refuse-bulk-loads, slow-ends=, max-user-connections=, full-error=, none");
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
        return but(other -> other.slow = delay);
    }

    public Misbehaviour withSlowLogins(Duration delay) {
        return but(other -> other.slowLogins = delay);
    }

    public Misbehaviour withRefuseLogins(boolean on) {
        return but(other -> other.refuseLogins = on);
    }

    public Misbehaviour withDeadPort(boolean on) {
        return but(other -> other.deadPort = on);
    }

    public Misbehaviour withDropConnections(boolean on) {
        return but(other -> other.dropConnections = on);
    }

    public Misbehaviour withStopReading(boolean on) {
        return but(other -> other.stopReading = on);
    }

    public Misbehaviour withGarbage(boolean on) {
        return but(other -> other.garbage = on);
    }

    public Misbehaviour withCutAfter(long bytes) {
        return but(other -> other.cutAfter = bytes);
    }

    public Misbehaviour withLoginsPerSecond(int limit) {
        return but(other -> other.loginsPerSecond = limit);
    }

    public Misbehaviour withSilentTransactions(boolean on) {
        return but(other -> other.silentTransactions = on);
    }

    public Misbehaviour withRefuseBulkLoads(boolean on) {
        return but(other -> other.refuseBulkLoads = on);
    }

    public Misbehaviour withSlowEnds(Duration delay) {
        return but(other -> other.slowEnds = delay);
    }

    public Misbehaviour withMaxUserConnections(int most) {
        return but(other -> other.maxUserConnections = most);
    }

    public Misbehaviour withFullError(int number) {
        return but(other -> other.fullError = number);
    }

    private Misbehaviour but(Consumer<Change> change) {
        Change other = new Change(this);
        change.accept(other);
        return other.made();
    }

    /** Builds another behaviour. */
    private static final class Change {
        private Duration slow;
        private Duration slowLogins;
        private boolean refuseLogins;
        private boolean deadPort;
        private boolean dropConnections;
        private boolean stopReading;
        private boolean garbage;
        private long cutAfter;
        private int loginsPerSecond;
        private boolean silentTransactions;
        private boolean refuseBulkLoads;
        private Duration slowEnds;
        private int maxUserConnections;
        private int fullError;

        Change(Misbehaviour before) {
            slow = before.slow;
            slowLogins = before.slowLogins;
            refuseLogins = before.refuseLogins;
            deadPort = before.deadPort;
            dropConnections = before.dropConnections;
            stopReading = before.stopReading;
            garbage = before.garbage;
            cutAfter = before.cutAfter;
            loginsPerSecond = before.loginsPerSecond;
            silentTransactions = before.silentTransactions;
            refuseBulkLoads = before.refuseBulkLoads;
            slowEnds = before.slowEnds;
            maxUserConnections = before.maxUserConnections;
            fullError = before.fullError;
        }

        Misbehaviour made() {
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
                    maxUserConnections,
                    fullError);
        }
    }
}
