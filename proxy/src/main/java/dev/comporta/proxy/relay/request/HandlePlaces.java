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
 * Where in a request handles of prepared statements stand, and what they stand for. A handle is always replaced: by the
 * server connection's own, or by a number that no server gives. Holds those of the packets that were read and not sent yet.
 */
public final class HandlePlaces {
    /** A handle that no server gives: its answer is error 8179. In a parameter of one byte, which has no sign, 0 stands for it. */
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
     * @param call which call of the message it is
     * @param offset of the number in the request, packet headers not counted
     * @param text what it stands for; null if it is not the client's
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
     * A call that gives up what this server connection lacks, or what other handles stand for too, succeeds all the same: it
     * gives up another statement, prepared for that alone.
     */
    public void substituteGivenUp(ServerHandles server, PreparedIn in) {
        for (int i = 0; i < size; i++) {
            PreparedText text = texts[i];
            boolean givesUp =
                    procedures[i] == SystemProcedure.UNPREPARE || procedures[i] == SystemProcedure.CURSOR_UNPREPARE;
            if (givesUp
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
     * @param in what the session is in, where that must be what the statement was prepared in: others are not looked for
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

    /** Whether the number is one that the procedure replaces by the one that it returns. */
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
     * What is to stand at a place when the request is sent to this server connection. A handle that the server is told to
     * give up is forgotten at once, whatever will come of it: it may use the number again.
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

    /** The server is given no old handle: other clients may use that statement, and not every server gives up the handle. */
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
     * The latest call, which the server is told not to carry out after all. If it did, it would find no handle. Earlier ones
     * are not looked at: a message may have thousands of calls that are taken back.
     */
    void takeBack(int call) {
        for (int i = size - 1; i >= 0 && calls[i] == call; i--) {
            texts[i] = null;
        }
    }

    /** One of the proxy's own numbers is left, so that the server's error names it; any other could be somebody's statement. */
    private long unknown(int place) {
        if (ClientHandles.isOwnNumber(numbers[place])) {
            return numbers[place];
        }
        return lengths[place] == 1 ? 0 : UNKNOWN;
    }
}
