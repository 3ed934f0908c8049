package dev.comporta.tds.sql;

import dev.comporta.tds.sql.word.Keyword;
import dev.comporta.tds.sql.word.Token;
import dev.comporta.tds.sql.word.TokenText;
import org.jspecify.annotations.Nullable;

/**
 * Splits a stream of tokens into statements and notes their findings. It follows valid T-SQL only: a text that the server
 * can't parse is not run at all. Belongs to one scanner.
 */
final class StatementReader {
    private enum Mode {
        /** A statement must begin here, or the text end. */
        START,
        /** Within a statement: only a reserved word begins another. */
        BODY,
        /** A statement is complete: nothing more of it may follow. */
        COMPLETE,
        /** After a plain name where a statement begins: a label, or a procedure. */
        LABEL_OR_CALL,
        /** After a first word whose statement has a reader of its own. */
        PART,
        /** After {, which begins an ODBC escape. */
        BRACE,
        BEGIN,
        END,
        IF,
        IF_EXISTS,
        UPDATE,
        /** After the UPDATE of a MERGE. */
        MERGE_UPDATE,
        UPDATE_TARGET,
        /** The rest of the text is a module's body, which does not run now. */
        MODULE
    }

    private final TokenText text;
    private final SqlFindings findings;
    private final CurrentStatement statement;
    private final ConstantText constant;
    private final StatementParts parts;
    private final TemporaryNames temporaries;
    private final Flow flow = new Flow();
    private final Trail trail = new Trail();
    private final StatementBody body;

    private Mode mode = Mode.START;
    private long steps;
    /** Nothing but semicolons so far. */
    private boolean isFirst;

    StatementReader(TokenText text, SqlFindings findings, int depth) {
        this.text = text;
        this.findings = findings;
        statement = new CurrentStatement(text, findings);
        constant = new ConstantText(text, findings, statement, depth);
        parts = new StatementParts(text, findings, statement, constant);
        temporaries = new TemporaryNames(text, findings, statement);
        body = new StatementBody(text, findings, statement, parts, temporaries, flow, trail);
    }

    void start(Scope scope) {
        mode = Mode.START;
        steps = 0;
        isFirst = true;
        trail.clear();
        flow.clear();
        statement.startText();
        body.startText();
        constant.startText();
        parts.startText(scope);
        temporaries.startText(scope);
    }

    /** The number of times that a token was looked at; tests check that it is a small multiple of the tokens. */
    long steps() {
        return steps + constant.steps();
    }

    /** A string begins: returns the lexer that scans its content, or null if the string is not a text to run. */
    @Nullable
    TextLexer beginString() {
        return constant.isActive() ? constant.begin() : null;
    }

    void doubt(Doubt reason, long position) {
        findings.doubt(reason, position);
    }

    private void doubt(Doubt reason) {
        findings.doubt(reason, text.position());
    }

    void accept(Token token) {
        trail.begin(token, text);
        boolean isArgument = constant.isActive();
        if (token == Token.STRING) {
            parts.seeString();
        }
        do {
            steps++;
        } while (!(mode == Mode.BODY ? inBody(token) : step(token)));
        if (isArgument) {
            constant.see(token, trail.keyword); // after the name of the procedure was noted
        }
        trail.end(token);
        isFirst &= token == Token.SEMICOLON;
    }

    void end() {
        switch (mode) {
            case START, BODY, COMPLETE, MODULE -> {}
            case END -> closeBlock();
            case LABEL_OR_CALL -> {
                noteBareCall();
                parts.endWithin();
            }
            case PART -> parts.endWithin();
            case BRACE, BEGIN, IF, IF_EXISTS, UPDATE, MERGE_UPDATE, UPDATE_TARGET -> doubt(Doubt.CUT_SHORT);
        }
        if (mode != Mode.MODULE && (!body.isBalanced() || !flow.isClosed() || flow.governsNext())) {
            doubt(Doubt.UNBALANCED);
        }
        constant.endText();
        temporaries.endText();
        parts.endText();
    }

    /** Returns whether the token was consumed; if not, the mode has changed and the token is looked at again. */
    private boolean step(Token token) {
        return switch (mode) {
            case START -> atStart(token);
            case BODY -> inBody(token);
            case COMPLETE -> complete(token);
            case LABEL_OR_CALL -> labelOrCall(token);
            case PART -> part(token);
            case BRACE -> brace(token);
            case BEGIN -> begin();
            case END -> endBlock();
            case IF -> ifStatement();
            case IF_EXISTS -> ifExists(token);
            case UPDATE, MERGE_UPDATE -> update(token);
            case UPDATE_TARGET -> updateTarget(token);
            case MODULE -> parts.seeModule(token, trail.keyword);
        };
    }

    private boolean goOn(Mode next) {
        mode = next;
        return true;
    }

    private boolean lookAgain(Mode next) {
        mode = next;
        return false;
    }

    private boolean giveUp(Doubt reason) {
        doubt(reason);
        return lookAgain(Mode.BODY);
    }

    private boolean atStart(Token token) {
        return switch (token) {
            case SEMICOLON -> true;
            case WORD -> wordAtStart();
            case DELIMITED, DOT -> nameAtStart(token);
            case OPEN -> {
                beginStatement(Keyword.SELECT); // (SELECT …) UNION …
                yield lookAgain(Mode.BODY);
            }
            case LEFT_BRACE -> {
                beginStatement(Keyword.NONE);
                yield goOn(Mode.BRACE);
            }
            // EXEC @name;1 calls the first procedure of a group.
            case NUMBER ->
                (statement.calls() && trail.previous == Token.SEMICOLON)
                        ? goOn(Mode.BODY)
                        : giveUp(Doubt.UNKNOWN_STATEMENT);
            default -> giveUp(Doubt.UNKNOWN_STATEMENT);
        };
    }

    private boolean wordAtStart() {
        if (trail.keyword == Keyword.END) {
            return goOn(Mode.END);
        }
        if (trail.keyword == Keyword.ELSE) {
            flow.governNext();
            return true;
        }
        if (trail.keyword.beginsStatementAtStart()) {
            return goOn(beginStatement(trail.keyword));
        }
        return nameAtStart(Token.WORD);
    }

    private boolean nameAtStart(Token token) {
        beginStatement(Keyword.NONE);
        parts.beginCall();
        parts.accept(token, trail.keyword, trail.previousKeyword);
        return goOn(Mode.LABEL_OR_CALL);
    }

    private boolean labelOrCall(Token token) {
        if (token == Token.COLON) {
            return goOn(Mode.START);
        }
        noteBareCall();
        return lookAgain(Mode.PART);
    }

    /** Only the first statement of a text may call a procedure by its bare name. */
    private void noteBareCall() {
        if (!statement.isFirst()) {
            doubt(Doubt.UNKNOWN_STATEMENT);
        }
        statement.isBareCall();
    }

    private Mode beginStatement(Keyword first) {
        statement.begin(first, flow.beginStatement(), isFirst);
        temporaries.beginStatement(first);
        if (parts.begin(first)) {
            return Mode.PART;
        }
        return switch (first) {
            case BEGIN -> Mode.BEGIN;
            case IF -> Mode.IF;
            case UPDATE -> Mode.UPDATE;
            case WHILE -> {
                flow.governNext();
                yield Mode.BODY;
            }
            case RETURN, GOTO -> {
                flow.breakOff();
                yield Mode.BODY;
            }
            default -> Mode.BODY;
        };
    }

    private boolean inBody(Token token) {
        if (token.isInert()) {
            return true;
        }
        return switch (body.see(token)) {
            case WITHIN -> true;
            case SEMICOLON -> goOn(Mode.START);
            case BRACE -> goOn(Mode.BRACE);
            case END -> goOn(Mode.END);
            case ELSE -> {
                flow.governNext();
                yield goOn(Mode.START);
            }
            case NEXT -> goOn(beginStatement(trail.keyword));
            case MERGE_UPDATE -> goOn(Mode.MERGE_UPDATE);
        };
    }

    private boolean complete(Token token) {
        return (token == Token.SEMICOLON || token == Token.WORD) ? lookAgain(Mode.START) : giveUp(Doubt.UNKNOWN_SET);
    }

    private boolean part(Token token) {
        return switch (parts.accept(token, trail.keyword, trail.previousKeyword)) {
            case MORE -> true;
            case LAST -> goOn(afterPart());
            case ENDED -> lookAgain(Mode.START);
            case OVER, UNKNOWN -> lookAgain(afterPart());
        };
    }

    private Mode afterPart() {
        return parts.isModule() ? Mode.MODULE : parts.isWholeStatement() ? Mode.COMPLETE : Mode.BODY;
    }

    /** {fn …}, {ts '…'}, {call procedure}, {? = call procedure}: the server understands ODBC's escapes itself. */
    private boolean brace(Token token) {
        if (token == Token.OPERATOR || token == Token.EQUALS) {
            return true;
        }
        return switch (trail.keyword) {
            case D, ESCAPE, FN, GUID, OJ, T, TS -> goOn(Mode.BODY);
            case CALL -> {
                findings.mayLeave();
                parts.beginCall();
                statement.isBareCall();
                yield goOn(Mode.PART);
            }
            default -> giveUp(Doubt.UNKNOWN_STATEMENT);
        };
    }

    private boolean begin() {
        return switch (trail.keyword) {
            case TRAN, TRANSACTION -> {
                findings.countStatement();
                findings.add(Finding.BEGINS_TRANSACTION);
                if (statement.isCertain()) {
                    findings.beginsSurely();
                }
                findings.mayLeave();
                yield goOn(Mode.BODY);
            }
            case DISTRIBUTED -> true;
            // A block in TRY may be cut short, and one in CATCH may not run, without a visible error.
            case TRY, CATCH -> {
                findings.mayLeave();
                yield goOn(openBlock(false));
            }
            case DIALOG, CONVERSATION -> {
                findings.mayLeave();
                yield goOn(Mode.BODY);
            }
            default -> lookAgain(openBlock(statement.isCertain()));
        };
    }

    private Mode openBlock(boolean certain) {
        if (!flow.open(certain)) {
            doubt(Doubt.TOO_MANY);
        }
        return Mode.START;
    }

    private boolean endBlock() {
        return switch (trail.keyword) {
            case TRY, CATCH -> goOn(closeBlock());
            case CONVERSATION -> {
                findings.mayLeave();
                yield goOn(Mode.BODY);
            }
            default -> lookAgain(closeBlock());
        };
    }

    private Mode closeBlock() {
        if (!flow.close()) {
            doubt(Doubt.UNBALANCED);
        }
        return Mode.START;
    }

    private boolean ifStatement() {
        if (trail.keyword == Keyword.EXISTS) {
            return goOn(Mode.IF_EXISTS);
        }
        flow.governNext();
        return lookAgain(Mode.BODY);
    }

    /** IF EXISTS (SELECT…) is a condition; DROP TABLE IF EXISTS t is not. */
    private boolean ifExists(Token token) {
        if (token == Token.OPEN) {
            flow.governNext();
        } else {
            statement.resumeBefore();
        }
        return lookAgain(Mode.BODY);
    }

    /** Whether UPDATE is followed by its target, so that the next SET is its own. */
    private boolean update(Token token) {
        if (trail.keyword == Keyword.SET && mode == Mode.MERGE_UPDATE) {
            return goOn(Mode.BODY);
        }
        boolean isTarget = token == Token.DELIMITED
                || token == Token.VARIABLE
                || (token == Token.WORD && trail.keyword.mayBeTarget());
        return lookAgain(isTarget ? Mode.UPDATE_TARGET : Mode.BODY);
    }

    private boolean updateTarget(Token token) {
        if (trail.keyword == Keyword.SET && body.isOutsideParentheses()) {
            return goOn(Mode.BODY);
        }
        return inBody(token);
    }
}
