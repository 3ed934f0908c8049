package dev.comporta.e2e.sessions;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The numbers that a server has given to a session's handles. Scripts name handles by their order; these are the values. */
final class Handles {
    /**
     * Whether a proxy that pins for prepared handles is good enough ({@code -Dsessions.pinnedHandles=true}): clients see the
     * numbers of whichever connection prepared last, and may so be given one twice.
     */
    static final boolean PINNED = Boolean.getBoolean("sessions.pinnedHandles");

    static final int NOT_A_HANDLE = -1;
    /** Stands for the lowest number that the server can't have given to this session: another session may have it. */
    static final int NEVER_GIVEN = -2;

    /** From here on, scripts name open cursors. They end with their connection's use, and numbers may come again. */
    static final int FIRST_CURSOR = 1_000_000;

    /** Of a handle whose preparation failed, or was left out by the shrinker. */
    private static final int MISSING = 987_654;

    private static final int UNKNOWN = 8179;
    private static final int OTHER_CONTEXT = 586;

    /** No such prepared handle, another context than that of its preparation, no such cursor. */
    private static final Set<Integer> ABOUT_HANDLES = Set.of(UNKNOWN, OTHER_CONTEXT, 16909);

    private static final Pattern PLACE = Pattern.compile("\\{h(-?\\d+)}");

    private final Map<Integer, Integer> values = new HashMap<>();
    /** All that were given since the last reset. */
    private final Set<Integer> numbers = new HashSet<>();
    /** Each uses up a number, even if the session is not told. */
    private int prepares;

    private final List<Integer> sent = new ArrayList<>();
    private boolean severalCalls;

    static String place(int handle) {
        return "{h" + handle + "}";
    }

    static String name(int handle) {
        return handle == NEVER_GIVEN ? "@never" : "@h" + handle;
    }

    /** @param several whether it is more than one call */
    void beginRequest(boolean several) {
        sent.clear();
        severalCalls = several;
    }

    /** The server is asked to prepare something, and counts. */
    void prepares() {
        prepares++;
    }

    /** What to send for it; null for one that the server is yet to give. */
    @Nullable
    Integer given(int handle) {
        if (handle == NEVER_GIVEN) {
            int number = prepares + 1;
            sent.add(number);
            return number;
        }
        Integer value = values.get(handle);
        if (value != null) {
            sent.add(value);
        }
        return value;
    }

    /** The text with the handles' numbers in their places. */
    String fill(String text) {
        if (text.contains("sp_prepare ")) {
            prepares();
        }
        if (text.contains("sp_reset_connection")) {
            reset();
        }
        if (text.indexOf('{') < 0) {
            return text;
        }
        Matcher matcher = PLACE.matcher(text);
        StringBuilder filled = new StringBuilder();
        while (matcher.find()) {
            Integer value = given(Integer.parseInt(matcher.group(1)));
            if (value == null) {
                sent.add(MISSING);
            }
            matcher.appendReplacement(filled, String.valueOf(value == null ? MISSING : value));
        }
        return matcher.appendTail(filled).toString();
    }

    /**
     * The server has given a number to a handle. Which one is its choice, but no session may be given that of a prepared
     * handle twice: then it would stand for two things.
     *
     * @return what to print
     */
    String returned(int handle, int value) {
        values.put(handle, value);
        return PINNED || handle >= FIRST_CURSOR || numbers.add(value) ? "a handle" : "a handle that was given before";
    }

    /** The session was reset: all of its handles are gone, and servers count anew. */
    void reset() {
        numbers.clear();
    }

    /**
     * The number of an error, as it is compared. Among several calls a proxy has the server say of a handle that is out of
     * its context that there is none (docs/prepared-statements.md).
     */
    int number(int message) {
        return severalCalls && message == OTHER_CONTEXT ? UNKNOWN : message;
    }

    /**
     * The text of a message about a handle that the request has sent, without its number. Where a client keeps its connection,
     * the proxy asks the server for -1 in the place of a number that is not the client's (docs/prepared-statements.md); and a
     * server that finds a handle out of its context names its own number.
     */
    String hide(int message, String text) {
        if (!ABOUT_HANDLES.contains(message)) {
            return text;
        }
        if (number(message) != message) {
            return "Could not find prepared statement with handle <sent>.";
        }
        String hidden = text;
        for (int number : sent) {
            hidden = hidden.replaceAll("\\b" + number + "\\b", "<sent>")
                    .replaceAll("\\(0*%x\\)".formatted(number), "(<sent>)");
        }
        return hidden.replaceAll("handle -(1|<sent>)\\.", "handle <sent>.")
                .replaceAll("statement handle \\d+ is not valid", "statement handle <sent> is not valid");
    }
}
