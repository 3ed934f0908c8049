package dev.comporta.proxy.prepared;

import dev.comporta.proxy.session.ProcedureRules;
import dev.comporta.proxy.session.TextFindings;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A statement or cursor that a client has prepared. Two are equal when a server connection's handle for one can be used for
 * the other: same text, declaration and settings. A {@linkplain #isBound bound} one has no text here and equals nothing else:
 * it can be executed only on the server connection that prepared it, which its client keeps. Confined to its bucket's loop.
 */
public final class PreparedText implements Comparable<PreparedText> {
    /** The server numbers the handles of the two kinds separately. */
    public enum Kind {
        STATEMENT,
        CURSOR
    }

    /** Its own object, and its entries in the tables that contain it. */
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
    /** The number of client handles that stand for it. */
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
     * @param declaration the declaration of its parameters, in UTF-16LE; empty without parameters
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

    /** A bound one, whose text is not kept. */
    public static PreparedText bound(Kind kind, TextFindings found, ProcedureRules foundBy) {
        return new PreparedText(kind, NONE, NONE, null, CursorOptions.NONE, found, foundBy);
    }

    /** A statement that nobody executes, to be unprepared in place of another. */
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

    /** A bound one of the same kind, without its text. */
    PreparedText asBound() {
        return isBound() ? this : bound(kind, found, foundBy);
    }

    public Kind kind() {
        return kind;
    }

    /** Whether it can't be prepared on another connection. */
    public boolean isBound() {
        return preparedIn == null;
    }

    /** Only for one that is not bound. */
    public PreparedIn preparedIn() {
        return Objects.requireNonNull(preparedIn);
    }

    /** In UTF-16LE. Must not be modified. */
    public byte[] text() {
        return text;
    }

    /** In UTF-16LE; empty without parameters. Must not be modified. */
    public byte[] declaration() {
        return declaration;
    }

    /** Whether more than one handle stands for it. */
    public boolean hasSeveralHolders() {
        return holders > 1;
    }

    /** The memory that it counts for. */
    int bytes() {
        return text.length + declaration.length + OVERHEAD_BYTES;
    }

    /** The effects of executing it on a session; null if the rules have changed since it was scanned. */
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

    /** For hash tables, which then find one fast among thousands that a client has made collide. */
    @Override
    public int compareTo(PreparedText other) {
        int byText = Arrays.compare(text, other.text);
        return byText != 0 ? byText : Arrays.compare(declaration, other.declaration);
    }
}
