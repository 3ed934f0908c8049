package dev.comporta.app.console;

import java.time.Instant;

/**
 * An event for {@code sys.events}.
 *
 * @param bucket empty if it concerns none; so are client and login
 * @param client the client's address
 * @param times how often the same event has occurred
 */
public record Event(
        long id, Instant at, Kind kind, String bucket, String client, String login, int times, String message) {
    /** The kinds of events, with their names in the view. */
    public enum Kind {
        BUCKET_DOWN("bucket down"),
        BUCKET_UP("bucket up"),
        BUCKET_FULL("bucket full"),
        BUCKET_HAS_ROOM("bucket has room"),
        FALLBACK("fallback"),
        LEASE_EXPIRED("lease expired"),
        RELOAD("reload"),
        DRAIN("drain"),
        LOGIN_REFUSED("login refused"),
        PIN_OVERDUE("pin overdue"),
        PIN_ENDED("pin ended"),
        COMMAND("command");

        private final String shown;

        Kind(String shown) {
            this.shown = shown;
        }

        public String shown() {
            return shown;
        }
    }

    boolean isSameAs(Event other) {
        return kind == other.kind
                && bucket.equals(other.bucket)
                && client.equals(other.client)
                && login.equals(other.login)
                && message.equals(other.message);
    }

    Event after(Event before) {
        return new Event(id, at, kind, bucket, client, login, before.times + 1, message);
    }
}
