package dev.comporta.tds.sql;

import org.jspecify.annotations.Nullable;

/** Reads what EXECUTE calls, up to the arguments. Belongs to one scanner. */
final class CallReader {
    private enum State {
        AFTER_EXECUTE,
        AFTER_VARIABLE,
        AFTER_EQUALS,
        NAME,
        AFTER_PART,
        AFTER_DOT
    }

    private final TokenText text;
    private final SqlFindings findings;
    private State state = State.AFTER_EXECUTE;
    private int nameStart;
    private @Nullable Finding meaning;
    private boolean overflowed;

    CallReader(TokenText text, SqlFindings findings) {
        this.text = text;
        this.findings = findings;
    }

    void start() {
        state = State.AFTER_EXECUTE;
        reset();
    }

    /** Begins at the name: a batch may call a procedure without saying EXECUTE. */
    void startAtName() {
        state = State.NAME;
        reset();
    }

    private void reset() {
        nameStart = findings.arena().end();
        meaning = null;
        overflowed = false;
    }

    /** What the server's own procedure of that name does to the session, or null. Known when the name is over. */
    @Nullable
    Finding meaning() {
        return meaning;
    }

    boolean overflowed() {
        return overflowed;
    }

    Step accept(Token token, Keyword keyword) {
        return switch (state) {
            case AFTER_EXECUTE -> afterExecute(token, keyword);
            case AFTER_VARIABLE -> afterVariable(token);
            case AFTER_EQUALS -> token == Token.VARIABLE ? dynamic(Step.LAST) : name(token);
            case NAME -> name(token);
            case AFTER_PART -> afterPart(token);
            case AFTER_DOT -> token == Token.DOT ? dot() : name(token);
        };
    }

    /** The text ended; returns whether it could end here. */
    boolean end() {
        switch (state) {
            case AFTER_PART -> note();
            case AFTER_VARIABLE -> dynamic(Step.LAST);
            default -> {
                return false;
            }
        }
        return true;
    }

    private Step afterExecute(Token token, Keyword keyword) {
        if (token == Token.OPEN) {
            return dynamic(Step.OVER);
        }
        if (token == Token.VARIABLE) {
            state = State.AFTER_VARIABLE;
            return Step.MORE;
        }
        if (keyword == Keyword.AS) {
            findings.add(Finding.IMPERSONATES);
            return Step.LAST;
        }
        return name(token);
    }

    private Step afterVariable(Token token) {
        if (token == Token.EQUALS) {
            state = State.AFTER_EQUALS;
            return Step.MORE;
        }
        return dynamic(Step.OVER);
    }

    private Step dynamic(Step step) {
        findings.add(Finding.DYNAMIC_SQL);
        return step;
    }

    private Step name(Token token) {
        if (token == Token.WORD || token == Token.DELIMITED) {
            overflowed |= text.isTooLong() || !findings.arena().append(text);
            meaning = SystemName.procedure(text);
            if (text.startsWith('#')) {
                findings.add(Finding.USES_TEMPORARY);
            }
            state = State.AFTER_PART;
            return Step.MORE;
        }
        return Step.UNKNOWN;
    }

    private Step afterPart(Token token) {
        if (token == Token.DOT) {
            return dot();
        }
        note();
        return Step.OVER;
    }

    private Step dot() {
        overflowed |= !findings.arena().append('.');
        meaning = null;
        state = State.AFTER_DOT;
        return Step.MORE;
    }

    private void note() {
        findings.add(Finding.CALLS_PROCEDURE);
        overflowed |= !findings.addProcedure(findings.arena().sliceFrom(nameStart));
        // An application lock is the session's only if its arguments say so.
        if (meaning != null && meaning != Finding.LOCKS_APPLICATION) {
            findings.add(meaning);
        }
    }
}
