package dev.comporta.proxy.prepared;

import dev.comporta.proxy.session.ProcedureRules;
import dev.comporta.proxy.session.TextFindings;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a client has prepared. Two are equal when any server connection's handle for the one serves for the other: the same
 * text, declaration and circumstances. One that is {@linkplain #isBound bound} has no text here and is equal to nothing else:
 * it can be executed only on the server connection that prepared it, which its client keeps. Confined to its bucket's loop.
 */
public final class PreparedText implements Comparable<PreparedText> {
    /** Handles of the two are told apart by the server, and counted apart. */
    public enum Kind {
        STATEMENT,
        CURSOR
    }

    /** An entry in each of the tables that know it, and its own object. */
    private static final int OVERHEAD_BYTES = 200;

    private static final byte[] NONE = new byte[0];

    private final Kind kind;
    private final byte[] text;
    private final byte[] declaration;
    private final @Nullable PreparedIn preparedIn;
    private final CursorOptions options;
    private final int hash;

    private TextFindings found;
    private ProcedureRules foundBy;
    private boolean substitute;
    /** Handles of clients that stand for it. */
    int holders;

    private PreparedText(
            Kind kind,
            byte[] text,
            byte[] declaration,
            @Nullable PreparedIn preparedIn,
            CursorOptions options,
            TextFindings found,
            ProcedureRules foundBy) {
        this.kind = kind;
        this.text = text;
        this.declaration = declaration;
        this.preparedIn = preparedIn;
        this.options = options;
        this.found = found;
        this.foundBy = foundBy;
        hash = preparedIn == null
                ? System.identityHashCode(this)
                : 31 * (31 * Arrays.hashCode(text) + Arrays.hashCode(declaration)) + preparedIn.hashCode();
    }

    /**
     * @param text in UTF-16LE
     * @param declaration of its parameters, in UTF-16LE; empty where there are none
     */
    public static PreparedText of(
            Kind kind,
            byte[] text,
            byte[] declaration,
            PreparedIn preparedIn,
            CursorOptions options,
            TextFindings found,
            ProcedureRules foundBy) {
        return new PreparedText(kind, text, declaration, preparedIn, options, found, foundBy);
    }

    /** One whose text is not kept. */
    public static PreparedText bound(Kind kind, TextFindings found, ProcedureRules foundBy) {
        return new PreparedText(kind, NONE, NONE, null, CursorOptions.NONE, found, foundBy);
    }

    /** A statement that nobody executes, to be given up in the place of another. */
    public static PreparedText substitute(Kind kind, int number, PreparedIn in) {
        byte[] text = ("SELECT " + number).getBytes(StandardCharsets.UTF_16LE);
        TextFindings nothing = new TextFindings(0, false, true, false, false);
        PreparedText made = of(kind, text, NONE, in, CursorOptions.FORWARD_ONLY, nothing, ProcedureRules.SHARE);
        made.substitute = true;
        return made;
    }

    public boolean isSubstitute() {
        return substitute;
    }

    /** The same without its text. */
    PreparedText asBound() {
        return isBound() ? this : bound(kind, found, foundBy);
    }

    public Kind kind() {
        return kind;
    }

    /** Whether it can't be prepared again elsewhere. */
    public boolean isBound() {
        return preparedIn == null;
    }

    /** To be asked for only where it is not bound. */
    public PreparedIn preparedIn() {
        return Objects.requireNonNull(preparedIn);
    }

    /** In UTF-16LE. Not to be changed. */
    public byte[] text() {
        return text;
    }

    /** In UTF-16LE; empty where there are no parameters. Not to be changed. */
    public byte[] declaration() {
        return declaration;
    }

    /** Whether more than one handle stands for it. */
    public boolean hasSeveralHolders() {
        return holders > 1;
    }

    /** What it takes of the memory that is bounded. */
    int bytes() {
        return text.length + declaration.length + OVERHEAD_BYTES;
    }

    /** What it does to a session when it is executed; null if other rules hold now than when it was scanned. */
    public @Nullable TextFindings found(ProcedureRules rules) {
        return isBound() || rules == foundBy ? found : null;
    }

    public void found(TextFindings anew, ProcedureRules rules) {
        found = anew;
        foundBy = rules;
    }

    CursorOptions options() {
        return options;
    }

    /** Whether the declaration begins with this text. */
    public boolean declares(String first) {
        if (declaration.length < 2 * first.length()) {
            return false;
        }
        for (int i = 0; i < first.length(); i++) {
            char c = (char) ((declaration[2 * i] & 0xFF) | (declaration[2 * i + 1] << 8));
            if (c != first.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof PreparedText that
                        && hash == that.hash
                        && preparedIn != null
                        && preparedIn.equals(that.preparedIn)
                        && kind == that.kind
                        && options.equals(that.options)
                        && Arrays.equals(text, that.text)
                        && Arrays.equals(declaration, that.declaration));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** For hash tables, which so find one among thousands that a client has made to have the same hash. */
    @Override
    public int compareTo(PreparedText other) {
        int byText = Arrays.compare(text, other.text);
        return byText != 0 ? byText : Arrays.compare(declaration, other.declaration);
    }
}
