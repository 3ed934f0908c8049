package dev.comporta.proxy.relay.request;

import dev.comporta.proxy.prepared.ClientHandles;
import dev.comporta.proxy.prepared.PreparedCounters;
import dev.comporta.proxy.prepared.PreparedIn;
import dev.comporta.proxy.prepared.PreparedText;
import dev.comporta.proxy.prepared.ServerHandles;
import dev.comporta.tds.request.SystemProcedure;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The handles of prepared statements in a request: their places, and what they stand for. A handle is always replaced: by the
 * server connection's own, or by a number that no server gives. Holds those of the packets that were read and not sent yet.
 */
public final class HandlePlaces {
    /** No server gives this handle, and answers error 8179. In a parameter of one byte, which is unsigned, 0 is used. */
    private static final long UNKNOWN = -1;

    private int[] calls = new int[4];
    private int[] offsets = new int[4];
    private int[] lengths = new int[4];
    private int[] procedures = new int[4];
    private long[] numbers = new long[4];
    private @Nullable PreparedText[] texts = new PreparedText[4];
    private int size;

    public void clear() {
        Arrays.fill(texts, 0, size, null);
        size = 0;
    }

    /**
     * @param call the number of the call in the message
     * @param offset offset of the number in the request without packet headers
     * @param text the text it stands for; null if the client does not have it
     */
    void add(int call, int offset, int length, int procedure, long number, @Nullable PreparedText text) {
        if (size == offsets.length) {
            calls = Arrays.copyOf(calls, 2 * size);
            offsets = Arrays.copyOf(offsets, 2 * size);
            lengths = Arrays.copyOf(lengths, 2 * size);
            procedures = Arrays.copyOf(procedures, 2 * size);
            numbers = Arrays.copyOf(numbers, 2 * size);
            texts = Arrays.copyOf(texts, 2 * size);
        }
        calls[size] = call;
        offsets[size] = offset;
        lengths[size] = length;
        procedures[size] = procedure;
        numbers[size] = number;
        texts[size] = text;
        size++;
    }

    public int size() {
        return size;
    }

    public int offset(int place) {
        return offsets[place];
    }

    public int length(int place) {
        return lengths[place];
    }

    public int procedure(int place) {
        return procedures[place];
    }

    public long number(int place) {
        return numbers[place];
    }

    public @Nullable PreparedText text(int place) {
        return texts[place];
    }

    /**
     * Lets a call succeed that unprepares a statement which this server connection lacks, or which other handles stand for
     * too: it unprepares another statement, prepared for that alone.
     */
    public void substituteGivenUp(ServerHandles server, PreparedIn in) {
        for (int i = 0; i < size; i++) {
            PreparedText text = texts[i];
            if (SystemProcedure.unprepares(procedures[i])
                    && text != null
                    && !text.isBound()
                    && !text.isSubstitute()
                    && (text.hasSeveralHolders() || !server.has(text))) {
                texts[i] = PreparedText.substitute(text.kind(), i, in);
            }
        }
    }

    /**
     * A statement that the request needs and this server connection lacks; null if there is none.
     *
     * @param in the session's settings, if only statements prepared in the same are looked for; null for all
     */
    public @Nullable PreparedText missing(ServerHandles server, @Nullable PreparedIn in) {
        for (int i = 0; i < size; i++) {
            PreparedText text = texts[i];
            if (text != null
                    && !isOldHandle(procedures[i])
                    && !text.isBound()
                    && (in == null || in.equals(text.preparedIn()))
                    && !server.has(text)) {
                return text;
            }
        }
        return null;
    }

    /** Whether the procedure replaces the number by the one that it returns. */
    public static boolean isOldHandle(int procedure) {
        return switch (procedure) {
            case SystemProcedure.EXECUTE,
                    SystemProcedure.UNPREPARE,
                    SystemProcedure.CURSOR_EXECUTE,
                    SystemProcedure.CURSOR_UNPREPARE -> false;
            default -> true;
        };
    }

    public static boolean executes(int procedure) {
        return procedure == SystemProcedure.EXECUTE || procedure == SystemProcedure.CURSOR_EXECUTE;
    }

    /**
     * The number to put at a place when the request is sent to this server connection. A handle that the call unprepares is
     * forgotten at once, whatever the result: the server may reuse the number.
     */
    public long replace(int place, ServerHandles server, PreparedCounters counters) {
        PreparedText text = texts[place];
        if (isOldHandle(procedures[place])) {
            return replaceOld(place, text, server);
        }
        int known = text == null ? ServerHandles.NONE : server.find(text);
        if (text == null || known == ServerHandles.NONE) {
            return unknown(place);
        }
        switch (procedures[place]) {
            case SystemProcedure.EXECUTE, SystemProcedure.CURSOR_EXECUTE -> counters.hits++;
            default -> server.remove(text);
        }
        return known;
    }

    /** Sends no old handle to the server: other clients may use that statement, and not every server drops the handle. */
    private long replaceOld(int place, @Nullable PreparedText text, ServerHandles server) {
        if (text == null) {
            return numbers[place] == 0 ? 0 : unknown(place);
        }
        if (server.givesUpOld() && (text.isBound() || !text.hasSeveralHolders())) {
            server.spare(text);
        }
        return 0;
    }

    /**
     * The latest call was withdrawn. If the server ran it all the same, it would find no handle. Earlier calls are not
     * touched: a message may have thousands of withdrawn calls.
     */
    void takeBack(int call) {
        for (int i = size - 1; i >= 0 && calls[i] == call; i--) {
            texts[i] = null;
        }
    }

    /** Leaves the proxy's own numbers as they are, for the server's error; any other could be another client's statement. */
    private long unknown(int place) {
        if (ClientHandles.isOwnNumber(numbers[place])) {
            return numbers[place];
        }
        return lengths[place] == 1 ? 0 : UNKNOWN;
    }
}
