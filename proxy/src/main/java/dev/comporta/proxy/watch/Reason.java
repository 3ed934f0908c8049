package dev.comporta.proxy.watch;

import java.util.regex.Pattern;

/** The reason of a failed connection as text, for logs, errors and the live page. */
public final class Reason {
    /** Netty's messages name the failed call and the error number before the error's text. */
    private static final Pattern CALL = Pattern.compile("^[\\w ]+\\(\\.\\.\\) failed with error\\(-?\\d+\\): ");

    private Reason() {}

    public static String of(Throwable cause) {
        String message = cause.getMessage();
        return message == null ? cause.toString() : CALL.matcher(message).replaceFirst("");
    }
}
