package dev.comporta.proxy.watch;

import org.slf4j.Logger;
import org.slf4j.Marker;
import org.slf4j.MarkerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/** The structured fields of log lines, beside the sentence that contains them. */
public final class ClientLines {
    /** Marks lines that clients or servers can cause in any number. The log's writer may sum up similar ones. */
    public static final Marker MANY = MarkerFactory.getMarker("dev.comporta.many");

    /** An address with its port. */
    public static final String CLIENT = "client";

    /** A client's number in this instance. */
    public static final String CLIENT_ID = "client_id";

    public static final String BUCKET = "bucket";
    public static final String LOGIN = "login";
    public static final String APPLICATION = "application";
    /** The number of an error that a client got. */
    public static final String ERROR = "error";

    public static final String REASON = "reason";
    public static final String AGE = "age_ms";

    private ClientLines() {}

    /** A line about a client that is logged in or tried to. */
    public static LoggingEventBuilder of(Logger log, Level level, String bucket, String address, String login) {
        return ofStranger(log, level, address).addKeyValue(BUCKET, bucket).addKeyValue(LOGIN, login);
    }

    /** A line about a client of which only the address is known. */
    public static LoggingEventBuilder ofStranger(Logger log, Level level, String address) {
        return log.atLevel(level).addMarker(MANY).addKeyValue(CLIENT, address);
    }

    /** A line about the server of a bucket, or a connection to it. */
    public static LoggingEventBuilder ofServer(Logger log, Level level, String bucket) {
        return log.atLevel(level).addMarker(MANY).addKeyValue(BUCKET, bucket);
    }
}
