package dev.comporta.proxy.session;

import dev.comporta.tds.sql.SqlFindings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Decides which procedures pin their caller, because they leave something in the session that no text shows. Names are
 * compared ignoring case, brackets and quotes. A part that a name omits matches anything: a procedure that is called without
 * its schema pins if it may be one that pins, and is shared only if a rule also names it without a schema.
 */
public final class ProcedureRules {
    /** All procedures are shared. */
    public static final ProcedureRules SHARE = new ProcedureRules(List.of(), List.of(), false);
    /** All procedures pin. */
    public static final ProcedureRules PIN = new ProcedureRules(List.of(), List.of(), true);

    private final List<Pattern> pin;
    private final List<Pattern> share;
    /** Whether procedures that no rule names pin. */
    private final boolean othersPin;

    private ProcedureRules(List<Pattern> pin, List<Pattern> share, boolean othersPin) {
        this.pin = pin;
        this.share = share;
        this.othersPin = othersPin;
    }

    /**
     * Rules by names, in which {@code *} stands for any letters. A procedure in both lists is shared. One in neither pins if
     * only a share list is given, and is shared otherwise.
     */
    public static ProcedureRules of(List<String> pin, List<String> share) {
        return new ProcedureRules(patterns(pin), patterns(share), pin.isEmpty() && !share.isEmpty());
    }

    private static List<Pattern> patterns(List<String> names) {
        return names.stream().map(Pattern::of).toList();
    }

    /** Whether every procedure is shared, so that names need not be compared. */
    public boolean shareAll() {
        return !othersPin && pin.isEmpty();
    }

    /** Whether a text calls a procedure that pins, or may call one. */
    public boolean pins(SqlFindings found) {
        if (shareAll()) {
            return false;
        }
        if (found.hasUnlistedProcedures()) {
            return true;
        }
        for (int i = 0; i < found.procedureCount(); i++) {
            // The text that sp_executesql runs was scanned itself, or is not listed.
            if (!found.procedureIs(i, "sp_executesql") && pins(found.procedure(i))) {
                return true;
            }
        }
        return false;
    }

    /** @param name a name of one to four parts, with brackets or without */
    public boolean pins(String name) {
        List<String> called = parts(name);
        for (Pattern pattern : share) {
            if (pattern.surelyMatches(called)) {
                return false;
            }
        }
        for (Pattern pattern : pin) {
            if (pattern.mayMatch(called)) {
                return true;
            }
        }
        return othersPin;
    }

    /** The parts of a name, the last one first, in lower case; an omitted part is empty. */
    private static List<String> parts(String name) {
        List<String> parts = new ArrayList<>(4);
        StringBuilder part = new StringBuilder();
        char closing = 0;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (closing != 0) {
                if (c == closing) {
                    closing = 0;
                } else {
                    part.append(c);
                }
            } else if (c == '[') {
                closing = ']';
            } else if (c == '"') {
                closing = '"';
            } else if (c == '.') {
                parts.addFirst(part.toString().toLowerCase(Locale.ROOT));
                part.setLength(0);
            } else {
                part.append(c);
            }
        }
        parts.addFirst(part.toString().toLowerCase(Locale.ROOT));
        return parts;
    }

    /** @param parts the last one first; an empty one matches anything */
    private record Pattern(List<String> parts) {
        static Pattern of(String name) {
            return new Pattern(ProcedureRules.parts(name));
        }

        boolean mayMatch(List<String> called) {
            for (int i = 0; i < Math.min(parts.size(), called.size()); i++) {
                boolean either = parts.get(i).isEmpty() || called.get(i).isEmpty();
                if (!either && !matches(parts.get(i), called.get(i))) {
                    return false;
                }
            }
            return true;
        }

        boolean surelyMatches(List<String> called) {
            for (int i = 0; i < parts.size(); i++) {
                boolean named = i < called.size() && !called.get(i).isEmpty();
                if (!parts.get(i).isEmpty() && !(named && matches(parts.get(i), called.get(i)))) {
                    return false;
                }
            }
            return true;
        }

        /** Whether a pattern, in which stars stand for any letters, matches a part. */
        private static boolean matches(String pattern, String part) {
            int star = pattern.indexOf('*');
            if (star < 0) {
                return pattern.equals(part);
            }
            if (!part.startsWith(pattern.substring(0, star))) {
                return false;
            }
            String rest = pattern.substring(star + 1);
            for (int i = star; i <= part.length(); i++) {
                if (matches(rest, part.substring(i))) {
                    return true;
                }
            }
            return false;
        }
    }
}
