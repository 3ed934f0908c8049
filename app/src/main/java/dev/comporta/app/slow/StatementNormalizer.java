package dev.comporta.app.slow;

import java.util.Locale;
import java.util.Set;

/**
 * Reads T-SQL once and writes it without comments, with {@code ?} for each literal, and with uniform spacing. Anything that
 * may be a name or a value is treated as a value: text in double quotes, and words among the arguments of a procedure, where
 * values need no quotes. Lists of values become one value, so that {@code IN (1, 2)} and {@code IN (1, 2, 3)} are the same.
 */
final class StatementNormalizer {
    /** The kind of the token written last. */
    private enum Kind {
        START,
        WORD,
        /** EXEC: a procedure's name follows. */
        EXEC,
        VALUE,
        COMMA,
        /** No blank follows it. */
        OPENING,
        OPERATOR,
        OTHER
    }

    /** The part of a procedure's call that the next word belongs to. */
    private enum Call {
        NONE,
        /** After EXEC, up to the end of the procedure's name. */
        NAME,
        /** Among the arguments. */
        ARGUMENTS
    }

    private static final String VALUE = "?";

    /** Words that begin a statement, or are reserved: they end the arguments of a call. */
    private static final Set<String> KEYWORDS = Set.of(
            ("ALTER AS AT BACKUP BEGIN BREAK BULK CATCH CHECKPOINT CLOSE COMMIT CONTINUE CREATE DBCC DEALLOCATE DECLARE"
                            + " DEFAULT DELETE DENY DROP ELSE END EXEC EXECUTE FETCH GO GOTO GRANT IF INSERT KILL MERGE NULL"
                            + " OPEN OUT OUTPUT PRINT RAISERROR RECOMPILE RESTORE RETURN REVOKE ROLLBACK SAVE SELECT SET"
                            + " THROW TRAN TRANSACTION TRUNCATE TRY UPDATE USE WAITFOR WHILE WITH")
                    .split(" "));

    /** The keywords that may occur among arguments. */
    private static final Set<String> IN_ARGUMENTS =
            Set.of("AS", "AT", "DEFAULT", "NULL", "OUT", "OUTPUT", "RECOMPILE", "WITH");

    private final String sql;
    private final StringBuilder out;
    private int at;
    private Kind last = Kind.START;
    private Call call = Call.NONE;
    private int depth;

    StatementNormalizer(String sql) {
        this.sql = sql;
        out = new StringBuilder(Math.min(sql.length(), 1000));
    }

    String normalized() {
        while (at < sql.length()) {
            next();
        }
        return out.toString();
    }

    private void next() {
        char c = sql.charAt(at);
        if (Character.isWhitespace(c) || Character.isISOControl(c)) {
            at++;
        } else if (isAt("--")) {
            skipLine();
        } else if (isAt("/*")) {
            skipComment();
        } else if (c == '\'') {
            skipQuoted('\'');
            value();
        } else if (c == '"') {
            skipQuoted('"');
            name("\"?\"");
        } else if (c == '[') {
            int from = at;
            skipQuoted(']');
            name(sql.substring(from, at));
        } else if (isNumber(c)) {
            skipNumber();
            value();
        } else if (isOfWord(c)) {
            word();
        } else {
            other(c);
        }
    }

    private boolean isAt(String what) {
        return sql.startsWith(what, at);
    }

    private void skipLine() {
        while (at < sql.length() && sql.charAt(at) != '\n' && sql.charAt(at) != '\r') {
            at++;
        }
    }

    /** Skips a comment; comments nest. */
    private void skipComment() {
        int open = 0;
        do {
            if (isAt("/*")) {
                open++;
                at += 2;
            } else if (isAt("*/")) {
                open--;
                at += 2;
            } else {
                at++;
            }
        } while (open > 0 && at < sql.length());
        at = Math.min(at, sql.length());
    }

    /** Skips quoted text. A doubled closing mark is a part of it; without an end it extends to the statement's end. */
    private void skipQuoted(char closing) {
        at++;
        while (at < sql.length()) {
            if (sql.charAt(at) == closing) {
                at++;
                if (at == sql.length() || sql.charAt(at) != closing) {
                    return;
                }
            }
            at++;
        }
        at = Math.min(at, sql.length());
    }

    private boolean isNumber(char c) {
        if (isDigit(c)) {
            return true;
        }
        boolean digitFollows = at + 1 < sql.length() && isDigit(sql.charAt(at + 1));
        boolean begins = c == '.' && last != Kind.WORD;
        return digitFollows && (begins || Character.getType(c) == Character.CURRENCY_SYMBOL);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** Skips a number with its letters, as in 0xFF and 1e6. */
    private void skipNumber() {
        boolean hex = isAt("0x") || isAt("0X");
        at++;
        while (at < sql.length()) {
            char c = sql.charAt(at);
            char before = sql.charAt(at - 1);
            boolean sign = (c == '+' || c == '-') && !hex && (before == 'e' || before == 'E');
            if (!isOfWord(c) && c != '.' && !sign) {
                return;
            }
            at++;
        }
    }

    private static boolean isOfWord(char c) {
        return Character.isLetterOrDigit(c) || Character.isSurrogate(c) || c == '_' || c == '@' || c == '#' || c == '$';
    }

    private void word() {
        int from = at;
        while (at < sql.length() && isOfWord(sql.charAt(at))) {
            at++;
        }
        String word = sql.substring(from, at);
        boolean quoteFollows = at < sql.length() && sql.charAt(at) == '\'';
        if (quoteFollows && word.equalsIgnoreCase("N")) {
            skipQuoted('\'');
            value();
        } else if (isPositional(word)) {
            value();
        } else if (word.charAt(0) == '@') {
            name(word);
        } else {
            bareWord(word);
        }
    }

    /** Whether it is a parameter numbered by a driver: its number must not make it another statement. */
    private static boolean isPositional(String word) {
        return word.matches("@[pP]\\d+");
    }

    private void bareWord(String word) {
        String upper = word.toUpperCase(Locale.ROOT);
        boolean keyword = KEYWORDS.contains(upper);
        boolean ofArguments = IN_ARGUMENTS.contains(upper);
        if (upper.equals("EXEC") || upper.equals("EXECUTE")) {
            write(word, Kind.EXEC);
            call = Call.NAME;
            return;
        }
        if (!keyword || (ofArguments && call == Call.NAME)) {
            findCall();
        }
        if (keyword && !(ofArguments && call == Call.ARGUMENTS)) {
            call = Call.NONE;
        }
        if (call == Call.ARGUMENTS && !keyword) {
            value();
        } else {
            write(word, Kind.WORD);
        }
    }

    /** Called before a name is written: a second name without a dot is not a part of the procedure's name. */
    private void findCall() {
        if (last == Kind.START) {
            call = Call.NAME; // a batch may begin with a procedure's name without EXEC
        } else if (call == Call.NAME && last == Kind.WORD) {
            call = Call.ARGUMENTS;
        }
    }

    /** Writes a name in brackets, or the replacement of text in double quotes. */
    private void name(String text) {
        findCall();
        write(text, Kind.WORD);
    }

    private void value() {
        if (call == Call.NAME) {
            call = Call.ARGUMENTS;
        }
        if (depth > 0 && last == Kind.COMMA && endsWith("?,")) {
            out.setLength(out.length() - 1);
            last = Kind.VALUE;
        } else {
            write(VALUE, Kind.VALUE);
        }
    }

    private boolean endsWith(String end) {
        return out.length() >= end.length()
                && out.substring(out.length() - end.length()).equals(end);
    }

    private void other(char c) {
        switch (c) {
            case ',' -> {
                at++;
                glue(",", Kind.COMMA);
            }
            case '.' -> {
                at++;
                glue(".", Kind.OPENING);
            }
            case '(' -> {
                at++;
                depth++;
                if (last == Kind.COMMA) {
                    write("(", Kind.OPENING);
                } else {
                    glue("(", Kind.OPENING);
                }
            }
            case ')' -> {
                at++;
                depth = Math.max(0, depth - 1);
                glue(")", Kind.OTHER);
                if (endsWith("(?), (?)")) {
                    out.setLength(out.length() - ", (?)".length());
                }
            }
            case ';' -> {
                at++;
                call = Call.NONE;
                if (last != Kind.START) {
                    glue(";", Kind.OTHER);
                }
            }
            case '+', '-' -> {
                if (isSign()) {
                    at++;
                } else {
                    operator();
                }
            }
            default -> operator();
        }
    }

    /** Whether the sign belongs to a number that follows. */
    private boolean isSign() {
        boolean unary = last == Kind.COMMA || last == Kind.OPENING || last == Kind.OPERATOR;
        return unary && at + 1 < sql.length() && (isDigit(sql.charAt(at + 1)) || sql.charAt(at + 1) == '.');
    }

    private void operator() {
        int from = at;
        do {
            at++;
        } while (at < sql.length() && "<>=!*/%&|^~:".indexOf(sql.charAt(at)) >= 0 && !isAt("/*"));
        write(sql.substring(from, at), Kind.OPERATOR);
    }

    private void write(String text, Kind kind) {
        if (last != Kind.START && last != Kind.OPENING) {
            out.append(' ');
        }
        glue(text, kind);
    }

    private void glue(String text, Kind kind) {
        out.append(text);
        last = kind;
    }
}
