package dev.comporta.app.slow;

import java.util.Locale;
import java.util.Set;

/**
 * Reads T-SQL once and writes it without comments, with {@code ?} for each literal, and in one way of spacing. When it can't
 * be told whether something is a name or a value, it is taken for a value: what is in double quotes, which may be either,
 * and words among the arguments of a procedure, which may stand there without quotes. Lists of values become one value, so
 * that {@code IN (1, 2)} and {@code IN (1, 2, 3)} are the same.
 */
final class StatementNormalizer {
    /** What was written last. */
    private enum Kind {
        START,
        WORD,
        /** EXEC, whose procedure comes next. */
        EXEC,
        VALUE,
        COMMA,
        /** No blank follows it. */
        OPENING,
        OPERATOR,
        OTHER
    }

    /** Where in a procedure's call the next word is. */
    private enum Call {
        NONE,
        /** Behind EXEC, up to the end of the procedure's name. */
        NAME,
        /** Among the arguments. */
        ARGUMENTS
    }

    private static final String VALUE = "?";

    /** Words that begin a statement, or are reserved: among arguments they are no values. */
    private static final Set<String> KEYWORDS = Set.of(
            ("ALTER AS AT BACKUP BEGIN BREAK BULK CATCH CHECKPOINT CLOSE COMMIT CONTINUE CREATE DBCC DEALLOCATE DECLARE"
                            + " DEFAULT DELETE DENY DROP ELSE END EXEC EXECUTE FETCH GO GOTO GRANT IF INSERT KILL MERGE NULL"
                            + " OPEN OUT OUTPUT PRINT RAISERROR RECOMPILE RESTORE RETURN REVOKE ROLLBACK SAVE SELECT SET"
                            + " THROW TRAN TRANSACTION TRUNCATE TRY UPDATE USE WAITFOR WHILE WITH")
                    .split(" "));

    /** Of these, those that may stand among arguments. */
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

    /** Comments nest. */
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

    /** Two of the closing mark are one of the text; without an end, all that is left belongs to it. */
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

    /** With letters: of 0xFF, 1e6, and whatever else is glued to it. */
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

    /** As drivers number parameters: how many there are before it must not make it another statement. */
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

    /** A name comes. Behind another one without a dot, it is no part of the procedure's. */
    private void findCall() {
        if (last == Kind.START) {
            call = Call.NAME; // a batch may begin with a procedure's name alone
        } else if (call == Call.NAME && last == Kind.WORD) {
            call = Call.ARGUMENTS;
        }
    }

    /** What is a name for certain, or written as none. */
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

    /** Whether a number follows that the sign belongs to. */
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
