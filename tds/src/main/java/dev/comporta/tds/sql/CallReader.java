package dev.comporta.tds.sql;

import dev.comporta.tds.sql.word.Keyword;
import dev.comporta.tds.sql.word.Token;
import dev.comporta.tds.sql.word.TokenText;
import org.jspecify.annotations.Nullable;

/** Reads the target of EXECUTE, up to the arguments. Belongs to one scanner. */
final class CallReader {
    private enum State {
        AFTER_EXECUTE,
        AFTER_VARIABLE,
        AFTER_EQUALS,
        NAME,
        AFTER_PART,
        AFTER_DOT,
        /** After the name; a number may follow: EXEC p;1 calls the first procedure of a group. */
        AFTER_SEMICOLON,
        AFTER_NUMBER
    }

    private final TokenText text;
    private final SqlFindings findings;
    private final ConstantText constant;
    private State state = State.AFTER_EXECUTE;
    private int nameStart;
    private @Nullable Finding meaning;
    private boolean overflowed;
    /** What the system procedures named by strings of this text do to the session, one bit for each finding. */
    private long namedByStrings;

    private boolean callsByVariable;

    CallReader(TokenText text, SqlFindings findings, ConstantText constant) {
        this.text = text;
        this.findings = findings;
        this.constant = constant;
    }

    void startText() {
        namedByStrings = 0;
        callsByVariable = false;
    }

    /** A string of this text may be the procedure name in a variable that EXECUTE calls. */
    void seeString() {
        @Nullable Finding named = SystemName.procedureNamedBy(text);
        if (named != null) {
            namedByStrings |= named.bit();
        }
    }

    void endText() {
        if (callsByVariable) {
            findings.add(namedByStrings);
        }
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

    /** What a system procedure of that name does to the session, or null. Known at the end of the name. */
    @Nullable
    Finding meaning() {
        return meaning;
    }

    Step accept(Token token, Keyword keyword) {
        return switch (state) {
            case AFTER_EXECUTE -> afterExecute(token, keyword);
            case AFTER_VARIABLE -> afterVariable(token);
            case AFTER_EQUALS -> token == Token.VARIABLE ? byVariable(Step.LAST) : name(token);
            case NAME -> name(token);
            case AFTER_PART -> afterPart(token);
            case AFTER_DOT -> name(token);
            case AFTER_SEMICOLON -> afterSemicolon(token);
            case AFTER_NUMBER -> Step.OVER;
        };
    }

    /** The text has ended; returns whether it could end here. */
    boolean end() {
        switch (state) {
            case AFTER_PART -> note();
            case AFTER_VARIABLE -> byVariable(Step.LAST);
            case AFTER_SEMICOLON, AFTER_NUMBER -> {}
            case AFTER_EXECUTE, AFTER_EQUALS, NAME, AFTER_DOT -> {
                return false;
            }
        }
        return true;
    }

    private Step afterExecute(Token token, Keyword keyword) {
        if (token == Token.OPEN) {
            findings.add(Finding.DYNAMIC_SQL);
            constant.awaitOperand();
            return Step.OVER;
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
        return byVariable(Step.OVER);
    }

    private Step byVariable(Step step) {
        findings.add(Finding.DYNAMIC_SQL);
        findings.addUnlistedProcedure();
        callsByVariable = true;
        return step;
    }

    /** EXEC ..p omits the database and the schema. */
    private Step name(Token token) {
        if (token == Token.DOT) {
            return dot();
        }
        if (token == Token.WORD || token == Token.DELIMITED) {
            overflowed |= text.isTooLong() || !findings.arena().append(text);
            meaning = SystemName.procedure(text);
            if (text.startsWith('#')) {
                findings.add(Finding.USES_TEMPORARY);
            }
            if (SystemName.isExecuteSql(text)) {
                constant.awaitArguments();
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
        if (token == Token.SEMICOLON) {
            state = State.AFTER_SEMICOLON;
            return Step.MORE;
        }
        return Step.OVER;
    }

    private Step afterSemicolon(Token token) {
        if (token != Token.NUMBER) {
            return Step.ENDED;
        }
        state = State.AFTER_NUMBER;
        return Step.MORE;
    }

    private Step dot() {
        overflowed |= !findings.arena().append('.');
        meaning = null;
        state = State.AFTER_DOT;
        return Step.MORE;
    }

    private void note() {
        findings.add(Finding.CALLS_PROCEDURE);
        if (overflowed) {
            findings.arena().cut(nameStart);
            findings.addUnlistedProcedure();
        } else {
            findings.addProcedure(nameStart);
        }
        // An application lock belongs to the session only if the arguments say so.
        if (meaning != null && meaning != Finding.LOCKS_APPLICATION) {
            findings.add(meaning);
        }
    }
}
