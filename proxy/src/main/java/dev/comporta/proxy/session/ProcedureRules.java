package dev.comporta.proxy.session;

import dev.comporta.tds.sql.SqlFindings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Which procedures pin their caller, because they leave something in the session that no text shows. Names are compared
 * without regard to case, brackets and quotes. A part that a name leaves out may be anything; so a procedure that is called
 * without its schema pins if it may be one that pins, and is shared only if a rule names it without a schema as well.
 */
public final class ProcedureRules {
    /** All are shared. */
    public static final ProcedureRules SHARE = new ProcedureRules(List.of(), List.of(), false);
    /** All pin. */
    public static final ProcedureRules PIN = new ProcedureRules(List.of(), List.of(), true);

    private final List<Pattern> pin;
    private final List<Pattern> share;
    /** What holds for procedures that no rule names. */
    private final boolean othersPin;

    private ProcedureRules(List<Pattern> pin, List<Pattern> share, boolean othersPin) {
        this.pin = pin;
        this.share = share;
        this.othersPin = othersPin;
    }

    /**
     * Rules by names, which may have {@code *} for any letters. A procedure that both lists name is shared. What neither
     * names pins if there is nothing but a list of shared ones, and is shared otherwise.
     */
    public static ProcedureRules of(List<String> pin, List<String> share) {
        return new ProcedureRules(patterns(pin), patterns(share), pin.isEmpty() && !share.isEmpty());
    }

    private static List<Pattern> patterns(List<String> names) {
        return names.stream().map(Pattern::of).toList();
    }

    /** Whether every procedure is shared, so that names need not be looked at. */
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
            // What sp_executesql runs is known by its own names, or is not listed.
            if (!found.procedureIs(i, "sp_executesql") && pins(found.procedure(i))) {
                return true;
            }
        }
        return false;
    }

    /** @param name of one to four parts, with brackets or without */
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

    /** The parts of a name, the last one first, in lower case; a part that is left out is empty. */
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

    /** @param parts the last one first; an empty one is any */
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

        /** Whether a part with stars for any letters is this one. */
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
