package dev.comporta.app.console;

import java.time.Instant;

/**
 * Something that happened, for {@code sys.events}.
 *
 * @param bucket empty where it concerns none, as client and login
 * @param client an address
 * @param times how often the same was seen, this the latest
 */
public record Event(
        long id, Instant at, Kind kind, String bucket, String client, String login, int times, String message) {
    /** What kinds of events there are, by what they are called in the view. */
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
