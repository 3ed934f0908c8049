package dev.comporta.proxy.watch;

import java.util.regex.Pattern;

/** Why a connection failed, in words for logs, errors and the live page. */
public final class Reason {
    /** Netty tells by which call it learnt of an error, and its number, before what it means. */
    private static final Pattern CALL = Pattern.compile("^[\\w ]+\\(\\.\\.\\) failed with error\\(-?\\d+\\): ");

    private Reason() {}

    public static String of(Throwable cause) {
        String message = cause.getMessage();
        return message == null ? cause.toString() : CALL.matcher(message).replaceFirst("");
    }
}
