package dev.comporta.jdbc.session;

import java.util.Locale;
import java.util.Set;

/**
 * What the text of a statement can leave in its session, beyond what JDBC shows. A positive list: a single query or change
 * of rows leaves nothing; any other text may leave something. A function that a query calls may leave what no text shows.
 */
enum PlainSql {
    /** A single query or change of rows, such as SELECT, INSERT, UPDATE or DELETE. */
    LEAVES_NOTHING,
    /** A setting, a temporary table, a call, or several statements, which may leave a transaction open too. */
    UNKNOWN,
    /** It begins or ends a transaction without the driver's knowledge. */
    TRANSACTION;

    private static final Set<String> ROWS =
            Set.of("SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "VALUES", "WITH", "REPLACE");

    private static final Set<String> FIRST_OF_TRANSACTION =
            Set.of("START", "COMMIT", "ROLLBACK", "END", "ABORT", "SAVE", "XA");

    /** Words that count wherever they stand: SQL Server needs no semicolon between two statements. */
    private static final Set<String> OF_TRANSACTION =
            Set.of("BEGIN", "TRAN", "TRANSACTION", "SAVEPOINT", "IMPLICIT_TRANSACTIONS", "AUTOCOMMIT");

    /** Commands that SQL Server runs after another without a semicolon, and functions whose effect stays in the session. */
    private static final Set<String> NOT_OF_ROWS = Set.of(
            "EXEC",
            "EXECUTE",
            "CALL",
            "DECLARE",
            "USE",
            "DBCC",
            "SETUSER",
            "SET_CONFIG",
            "SETSEED",
            "PG_ADVISORY_LOCK",
            "PG_ADVISORY_LOCK_SHARED",
            "PG_TRY_ADVISORY_LOCK",
            "PG_TRY_ADVISORY_LOCK_SHARED",
            "DBLINK_CONNECT",
            "DBLINK_CONNECT_U",
            "GET_LOCK",
            "RDB$SET_CONTEXT");

    /** Words before an INTO that names the table of the rows. Any other INTO may make a temporary table, or set a variable. */
    private static final Set<String> BEFORE_INTO = Set.of("INSERT", "MERGE", "REPLACE", "IGNORE");

    /** Longer than every word in these lists. */
    private static final int LONGEST = 32;

    static PlainSql of(String sql) {
        return new Reading(sql).judge();
    }

    /** One pass over a text. */
    private static final class Reading {
        private final String sql;
        private int at;
        private String first = "";
        private String last = "";
        /** How many SET may still belong to an UPDATE, or to an INSERT in MySQL's form. */
        private int setsExpected;

        private boolean statementEnded;
        private boolean doubtful;

        Reading(String sql) {
            this.sql = sql;
        }

        PlainSql judge() {
            PlainSql found = LEAVES_NOTHING;
            while (at < sql.length()) {
                char c = sql.charAt(at);
                if (Character.isLetter(c) || c == '_') {
                    found = worse(found, word());
                } else {
                    skip(c);
                }
            }
            return worse(found, first.isEmpty() || doubtful ? UNKNOWN : LEAVES_NOTHING);
        }

        private static PlainSql worse(PlainSql one, PlainSql other) {
            return one.compareTo(other) >= 0 ? one : other;
        }

        private PlainSql word() {
            int begin = at;
            while (at < sql.length() && isPartOfWord(sql.charAt(at))) {
                at++;
            }
            doubtful |= statementEnded;
            String word = at - begin > LONGEST ? "?" : sql.substring(begin, at).toUpperCase(Locale.ROOT);
            boolean isFirst = first.isEmpty();
            String before = last;
            last = word;
            if (isFirst) {
                first = word;
            }
            if (OF_TRANSACTION.contains(word) || (isFirst && FIRST_OF_TRANSACTION.contains(word))) {
                return TRANSACTION;
            }
            boolean stray = isStraySet(word, isFirst);
            if (isFirst) {
                return ROWS.contains(word) ? LEAVES_NOTHING : UNKNOWN;
            }
            boolean strayInto = word.equals("INTO") && !BEFORE_INTO.contains(before);
            return NOT_OF_ROWS.contains(word) || stray || strayInto ? UNKNOWN : LEAVES_NOTHING;
        }

        /** SQL Server takes a command SET after a change of rows. */
        private boolean isStraySet(String word, boolean isFirst) {
            switch (word) {
                case "INSERT", "REPLACE" -> setsExpected += isFirst ? 1 : 0;
                case "VALUES", "SELECT" -> setsExpected = 0;
                case "UPDATE" -> setsExpected = 1;
                case "SET" -> {
                    return --setsExpected < 0;
                }
                default -> {}
            }
            return false;
        }

        private static boolean isPartOfWord(char c) {
            return Character.isLetterOrDigit(c) || c == '_' || c == '#' || c == '@' || c == '$';
        }

        /** Anything but a word. */
        private void skip(char c) {
            switch (c) {
                case '\'', '"', '`' -> skipQuoted(c);
                case '[' -> skipTo("]");
                case '@' -> skipVariable();
                case '-' -> skipCommentOr("--", "\n");
                case '/' -> skipCommentOr("/*", "*/");
                case ';' -> {
                    statementEnded = true;
                    at++;
                }
                case '{', '$', '#' -> { // JDBC's escapes, PostgreSQL's quotes, MySQL's comments: not parsed here
                    doubtful = true;
                    at++;
                }
                default -> {
                    if (Character.isDigit(c)) {
                        skipNumber();
                    } else {
                        doubtful |= statementEnded && !Character.isWhitespace(c);
                        at++;
                    }
                }
            }
        }

        /** In MySQL a query may set a session variable, {@code @name}. {@code @@} begins a system variable, or is an operator. */
        private void skipVariable() {
            boolean isOne = !sql.startsWith("@@", at);
            at += isOne ? 1 : 2;
            doubtful |=
                    isOne && at < sql.length() && (isPartOfWord(sql.charAt(at)) || "`'\"".indexOf(sql.charAt(at)) >= 0);
        }

        /** Where a text with a backslash ends depends on the database. */
        private void skipQuoted(char quote) {
            doubtful |= statementEnded;
            for (at++; at < sql.length(); at++) {
                char c = sql.charAt(at);
                doubtful |= c == '\\';
                if (c == quote) {
                    at++;
                    return;
                }
            }
            doubtful = true;
        }

        private void skipCommentOr(String opening, String closing) {
            if (sql.startsWith(opening, at)) {
                at += opening.length();
                // MySQL runs what is in this kind of comment, and PostgreSQL lets comments contain comments. In MySQL a
                // comment begins with two hyphens and a space, and other hyphens are signs of numbers.
                doubtful |= opening.equals("--") && at < sql.length() && !Character.isWhitespace(sql.charAt(at));
                doubtful |= opening.equals("/*") && (sql.startsWith("!", at) || sql.startsWith("M!", at));
                int end = sql.indexOf(closing, at);
                doubtful |= opening.equals("/*")
                        && end >= 0
                        && sql.substring(at, end).contains("/*");
                at = end < 0 ? sql.length() : end + closing.length();
            } else {
                at++;
            }
        }

        /** An array's index in PostgreSQL and H2, a name in SQL Server: only for the first two are words in it SQL. */
        private void skipTo(String closing) {
            int end = sql.indexOf(closing, at);
            doubtful |= end < 0 || hasOddQuotes(at, end); // the bracket is within a quoted text
            at = end < 0 ? sql.length() : end + 1;
        }

        private boolean hasOddQuotes(int from, int to) {
            boolean odd = false;
            for (int i = from; i < to; i++) {
                odd ^= sql.charAt(i) == '\'';
            }
            return odd;
        }

        private void skipNumber() {
            doubtful |= statementEnded;
            while (at < sql.length() && isPartOfWord(sql.charAt(at))) {
                at++;
            }
        }
    }
}
