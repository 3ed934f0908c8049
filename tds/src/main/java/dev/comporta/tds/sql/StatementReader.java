package dev.comporta.tds.sql;

import org.jspecify.annotations.Nullable;

/**
 * Tells statements apart in a stream of tokens and has what they mean for the session noted. It follows valid T-SQL only:
 * a text that the server can't parse is not run at all. Belongs to one scanner.
 */
final class StatementReader {
    private enum Mode {
        /** A statement must begin here, or the text end. */
        START,
        /** Within a statement: only a reserved word begins another. */
        BODY,
        /** A statement is whole: nothing of it may follow. */
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

    private Mode mode = Mode.START;
    private long steps;
    private long tokens;
    /** The number of the token that was the last ALWAYS, as in GENERATED ALWAYS AS ROW END. */
    private long alwaysAt = -1;

    private int parentheses;
    private int cases;
    /** Nothing but semicolons so far. */
    private boolean isFirst;

    private boolean isMergeUpdate;
    private Keyword keyword = Keyword.NONE;
    private Keyword previousKeyword = Keyword.NONE;
    private Token previous = Token.SEMICOLON;
    private Token beforePrevious = Token.SEMICOLON;

    StatementReader(TokenText text, SqlFindings findings, int depth) {
        this.text = text;
        this.findings = findings;
        statement = new CurrentStatement(text, findings);
        constant = new ConstantText(text, findings, statement, depth);
        parts = new StatementParts(text, findings, statement, constant);
        temporaries = new TemporaryNames(text, findings, statement);
    }

    void start(Scope scope) {
        mode = Mode.START;
        steps = 0;
        tokens = 0;
        alwaysAt = -1;
        parentheses = 0;
        cases = 0;
        isFirst = true;
        isMergeUpdate = false;
        previousKeyword = Keyword.NONE;
        previous = Token.SEMICOLON;
        beforePrevious = Token.SEMICOLON;
        flow.clear();
        statement.startText();
        constant.startText();
        parts.startText(scope);
        temporaries.startText(scope);
    }

    /** How often a token was looked at, to show that it is a small number of times. */
    long steps() {
        return steps + constant.steps();
    }

    /** A string begins: returns who reads what is in it, or null if it is no text that is run. */
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
        keyword = token == Token.WORD ? Keyword.of(text) : Keyword.NONE;
        tokens++;
        boolean isArgument = constant.isActive();
        if (token == Token.STRING) {
            parts.seeString();
        }
        do {
            steps++;
        } while (!(mode == Mode.BODY ? inBody(token) : step(token)));
        if (isArgument) {
            constant.see(token, keyword); // after the name of what is called is noted
        }
        beforePrevious = previous;
        previous = token;
        previousKeyword = keyword;
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
            case BRACE, BEGIN, IF, IF_EXISTS, UPDATE, UPDATE_TARGET -> doubt(Doubt.CUT_SHORT);
        }
        if (mode != Mode.MODULE && (parentheses != 0 || cases != 0 || !flow.isClosed() || flow.governsNext())) {
            doubt(Doubt.UNBALANCED);
        }
        constant.endText();
        temporaries.endText();
        parts.endText();
    }

    /** Returns whether the token is dealt with; if not, the mode has changed and the token is looked at again. */
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
            case UPDATE -> update(token);
            case UPDATE_TARGET -> updateTarget(token);
            case MODULE -> parts.seeModule(token, keyword);
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
                (statement.calls() && previous == Token.SEMICOLON) ? goOn(Mode.BODY) : giveUp(Doubt.UNKNOWN_STATEMENT);
            default -> giveUp(Doubt.UNKNOWN_STATEMENT);
        };
    }

    private boolean wordAtStart() {
        if (keyword == Keyword.END) {
            return goOn(Mode.END);
        }
        if (keyword == Keyword.ELSE) {
            flow.governNext();
            return true;
        }
        if (keyword.beginsStatementAtStart()) {
            return goOn(beginStatement(keyword));
        }
        return nameAtStart(Token.WORD);
    }

    private boolean nameAtStart(Token token) {
        beginStatement(Keyword.NONE);
        parts.beginCall();
        parts.accept(token, keyword, previousKeyword);
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
        if (token == Token.WORD) {
            return inBodyWord();
        }
        switch (token) {
            case OPEN -> open();
            case CLOSE -> {
                if (--parentheses < 0) {
                    doubt(Doubt.UNBALANCED);
                }
            }
            case SEMICOLON -> {
                if (parentheses > 0) {
                    doubt(Doubt.UNBALANCED);
                }
                mode = Mode.START;
            }
            case LEFT_BRACE -> mode = Mode.BRACE;
            case VARIABLE -> statement.noteVariable();
            default -> temporaries.seeName(previousKeyword, previous, parts.definesTable());
        }
        return true;
    }

    private void open() {
        parentheses++;
        // An opening parenthesis has no text of its own: it is still the name before it that stands there.
        boolean calls = previous == Token.DELIMITED
                || (previous == Token.WORD && (beforePrevious == Token.DOT || !Harmless.isBeforeParenthesis(text)));
        if (calls) {
            findings.mayLeave();
        }
    }

    private boolean inBodyWord() {
        if (keyword == Keyword.NONE) {
            statement.noteFunction();
            temporaries.seeName(previousKeyword, previous, parts.definesTable());
        } else if (!isBoundary()) {
            if (!Harmless.isWithin(keyword, previousKeyword)) {
                findings.mayLeave();
            }
            statement.see(keyword, previousKeyword);
            temporaries.see(keyword, previousKeyword);
        }
        return true;
    }

    /** Whether the word ended the statement or changed what is read, so that nothing else needs to look at it. */
    private boolean isBoundary() {
        if (keyword == Keyword.CASE) {
            cases++;
        } else if (keyword == Keyword.END && cases > 0) {
            cases--;
        } else if (keyword == Keyword.SELECT && parentheses > 0) {
            findings.add(Finding.OPENS_IMPLICIT_TRANSACTION); // IF EXISTS (SELECT …) reads a table like any other
        } else if (parentheses <= 0 && cases == 0) {
            return isBoundaryOutside();
        }
        return false;
    }

    private boolean isBoundaryOutside() {
        if (keyword == Keyword.ALWAYS) {
            alwaysAt = tokens;
            return false;
        }
        if (keyword == Keyword.END) {
            return tokens != alwaysAt + 3 && goOn(Mode.END);
        }
        if (keyword == Keyword.ELSE) {
            flow.governNext();
            return goOn(Mode.START);
        }
        // THROW is not reserved, but no condition goes on with it: IF @n > 0 THROW 50000, 'no', 1
        boolean begins = keyword.beginsStatement() || (keyword == Keyword.THROW && flow.governsNext());
        if (!begins) {
            return false;
        }
        if (statement.goesOnWith(keyword, previousKeyword, previous)) {
            isMergeUpdate = keyword == Keyword.UPDATE && previousKeyword == Keyword.THEN;
            return isMergeUpdate && goOn(Mode.UPDATE);
        }
        isMergeUpdate = false;
        return goOn(beginStatement(keyword));
    }

    private boolean complete(Token token) {
        return (token == Token.SEMICOLON || token == Token.WORD) ? lookAgain(Mode.START) : giveUp(Doubt.UNKNOWN_SET);
    }

    private boolean part(Token token) {
        return switch (parts.accept(token, keyword, previousKeyword)) {
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
        return switch (keyword) {
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
        return switch (keyword) {
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
            // What stands in TRY may be cut short, and what stands in CATCH may not run, without an error to be seen.
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
        return switch (keyword) {
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
        if (keyword == Keyword.EXISTS) {
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

    /** Whether UPDATE is followed by what it changes, so that the next SET is its own. */
    private boolean update(Token token) {
        if (keyword == Keyword.SET && isMergeUpdate) {
            return goOn(Mode.BODY);
        }
        boolean isTarget =
                token == Token.DELIMITED || token == Token.VARIABLE || (token == Token.WORD && keyword.mayBeTarget());
        return lookAgain(isTarget ? Mode.UPDATE_TARGET : Mode.BODY);
    }

    private boolean updateTarget(Token token) {
        if (keyword == Keyword.SET && parentheses <= 0) {
            return goOn(Mode.BODY);
        }
        return inBody(token);
    }
}
