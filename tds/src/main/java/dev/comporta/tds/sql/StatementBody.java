package dev.comporta.tds.sql;

import dev.comporta.tds.sql.word.Keyword;
import dev.comporta.tds.sql.word.Token;
import dev.comporta.tds.sql.word.TokenText;

/**
 * Reads the inside of a statement, notes its findings, and recognizes where the statement ends: at a semicolon, or at a
 * reserved word that begins another one. Belongs to one scanner.
 */
final class StatementBody {
    /** The role of a token in the statement. */
    enum Verdict {
        /** A part of it. */
        WITHIN,
        /** The semicolon that ends it. */
        SEMICOLON,
        /** {, which begins an ODBC escape. */
        BRACE,
        /** The END of the block around the statement. */
        END,
        /** The ELSE of the IF around the statement. */
        ELSE,
        /** The first word of the next statement. */
        NEXT,
        /** The UPDATE of a MERGE, which names no target. */
        MERGE_UPDATE
    }

    private final TokenText text;
    private final SqlFindings findings;
    private final CurrentStatement statement;
    private final StatementParts parts;
    private final TemporaryNames temporaries;
    private final Flow flow;
    private final Trail trail;

    /** The number of the last token that was ALWAYS, as in GENERATED ALWAYS AS ROW END. */
    private long alwaysAt;

    private int parentheses;
    private int cases;

    StatementBody(
            TokenText text,
            SqlFindings findings,
            CurrentStatement statement,
            StatementParts parts,
            TemporaryNames temporaries,
            Flow flow,
            Trail trail) {
        this.text = text;
        this.findings = findings;
        this.statement = statement;
        this.parts = parts;
        this.temporaries = temporaries;
        this.flow = flow;
        this.trail = trail;
    }

    void startText() {
        alwaysAt = -1;
        parentheses = 0;
        cases = 0;
    }

    /** Whether every parenthesis and CASE has ended. */
    boolean isBalanced() {
        return parentheses == 0 && cases == 0;
    }

    boolean isOutsideParentheses() {
        return parentheses <= 0;
    }

    Verdict see(Token token) {
        if (token == Token.WORD) {
            return word();
        }
        switch (token) {
            case OPEN -> open();
            case CLOSE -> {
                if (--parentheses < 0) {
                    doubtBalance();
                }
            }
            case SEMICOLON -> {
                if (parentheses > 0) {
                    doubtBalance();
                }
                return Verdict.SEMICOLON;
            }
            case LEFT_BRACE -> {
                return Verdict.BRACE;
            }
            case VARIABLE -> statement.noteVariable();
            default -> temporaries.seeName(trail.previousKeyword, trail.previous, parts.definesTable());
        }
        return Verdict.WITHIN;
    }

    private void doubtBalance() {
        findings.doubt(Doubt.UNBALANCED, text.position());
    }

    private void open() {
        parentheses++;
        // An opening parenthesis has no text of its own: the token text is still that of the name before it.
        boolean calls = trail.previous == Token.DELIMITED
                || (trail.previous == Token.WORD
                        && (isOfAnother(trail.beforePrevious) || !Harmless.isBeforeParenthesis(text)));
        if (calls) {
            findings.mayLeave();
        }
    }

    /** dbo.len(…) is a user's function, and dbo.kind::parse(…) a method of a user's type, whatever the name. */
    private static boolean isOfAnother(Token before) {
        return before == Token.DOT || before == Token.COLON;
    }

    private Verdict word() {
        Keyword keyword = trail.keyword;
        if (keyword == Keyword.NONE) {
            statement.noteFunction();
            temporaries.seeName(trail.previousKeyword, trail.previous, parts.definesTable());
            return Verdict.WITHIN;
        }
        Verdict verdict = boundary(keyword);
        if (verdict == Verdict.WITHIN) {
            if (!Harmless.isWithin(keyword, trail.previousKeyword)) {
                findings.mayLeave();
            }
            statement.see(keyword, trail.previousKeyword);
            temporaries.see(keyword, trail.previousKeyword);
        }
        return verdict;
    }

    private Verdict boundary(Keyword keyword) {
        if (keyword == Keyword.CASE) {
            cases++;
        } else if (keyword == Keyword.END && cases > 0) {
            cases--;
        } else if (keyword == Keyword.SELECT && parentheses > 0) {
            findings.add(Finding.OPENS_IMPLICIT_TRANSACTION); // IF EXISTS (SELECT …) reads a table like any other
        } else if (parentheses <= 0 && cases == 0) {
            return boundaryOutside(keyword);
        }
        return Verdict.WITHIN;
    }

    private Verdict boundaryOutside(Keyword keyword) {
        if (keyword == Keyword.ALWAYS) {
            alwaysAt = trail.tokens;
            return Verdict.WITHIN;
        }
        if (keyword == Keyword.END) {
            return trail.tokens == alwaysAt + 3 ? Verdict.WITHIN : Verdict.END;
        }
        if (keyword == Keyword.ELSE) {
            return Verdict.ELSE;
        }
        // THROW is not reserved, but no condition continues with it: IF @n > 0 THROW 50000, 'no', 1
        boolean begins = keyword.beginsStatement() || (keyword == Keyword.THROW && flow.governsNext());
        if (!begins) {
            return Verdict.WITHIN;
        }
        if (statement.goesOnWith(keyword, trail.previousKeyword, trail.previous)) {
            boolean isMerge = keyword == Keyword.UPDATE && trail.previousKeyword == Keyword.THEN;
            return isMerge ? Verdict.MERGE_UPDATE : Verdict.WITHIN;
        }
        return Verdict.NEXT;
    }
}
