package dev.comporta.tds.sql;

import dev.comporta.tds.sql.word.Keyword;
import dev.comporta.tds.sql.word.Token;
import dev.comporta.tds.sql.word.TokenText;

/** Reads the part of a statement that determines its effect, with a reader for each kind. Belongs to one scanner. */
final class StatementParts {
    private enum Part {
        NONE,
        CALL,
        LOCK_ARGUMENTS,
        SET,
        FORM,
        DEFINITION
    }

    /** How far a module's body is in SET a, b ON. */
    private enum ModuleSet {
        NONE,
        OPTION,
        AFTER_OPTION,
        /** The same, after an option that takes effect while the text is parsed. */
        PARSED_OPTION,
        AFTER_PARSED_OPTION
    }

    private final TokenText text;
    private final SqlFindings findings;
    private final CurrentStatement statement;
    private final SetReader sets;
    private final CallReader calls;
    private final LockOwnerReader lockOwner;
    private final FormReader forms;
    private final DefinitionReader definitions;
    private Part part = Part.NONE;
    private ModuleSet moduleSet = ModuleSet.NONE;

    StatementParts(TokenText text, SqlFindings findings, CurrentStatement statement, ConstantText constant) {
        this.text = text;
        this.findings = findings;
        this.statement = statement;
        sets = new SetReader(text, findings);
        calls = new CallReader(text, findings, constant);
        lockOwner = new LockOwnerReader(text);
        forms = new FormReader(text, findings);
        definitions = new DefinitionReader(text, findings);
    }

    void startText(Scope scope) {
        part = Part.NONE;
        sets.startText(scope);
        forms.startText(scope);
        calls.startText();
        moduleSet = ModuleSet.NONE;
    }

    void seeString() {
        calls.seeString();
    }

    /** Begins a statement; returns whether this class reads the tokens after its first word. */
    boolean begin(Keyword first) {
        part = switch (first) {
            case SET -> {
                sets.start(statement.isCertain());
                yield Part.SET;
            }
            case EXEC, EXECUTE -> {
                calls.start();
                yield Part.CALL;
            }
            case CREATE, ALTER -> {
                definitions.start(first);
                yield Part.DEFINITION;
            }
            case SAVE, USE, DECLARE, OPEN, DEALLOCATE, DBCC, INSERT, WRITETEXT, UPDATETEXT -> {
                forms.start(first, statement.isSure());
                yield Part.FORM;
            }
            default -> Part.NONE;
        };
        return part != Part.NONE;
    }

    /** Begins to read the name of a procedure that is called without EXECUTE. */
    void beginCall() {
        calls.startAtName();
        part = Part.CALL;
    }

    /** Reads a token. After any step but MORE the part has ended. */
    Step accept(Token token, Keyword keyword, Keyword previousKeyword) {
        return switch (part) {
            case CALL -> call(token, keyword);
            case LOCK_ARGUMENTS -> lockArguments(token, keyword);
            case SET -> set(token, keyword, previousKeyword);
            case FORM -> form(token, keyword);
            case DEFINITION -> definition(token, keyword);
            case NONE -> Step.OVER;
        };
    }

    /** The text ended within a part. */
    void endWithin() {
        switch (part) {
            case CALL -> {
                if (!calls.end()) {
                    doubt(Doubt.CUT_SHORT);
                }
            }
            case LOCK_ARGUMENTS -> endLockArguments();
            case DEFINITION -> {
                if (!definitions.mayEnd()) {
                    doubt(Doubt.CUT_SHORT);
                }
            }
            case SET, FORM -> doubt(Doubt.CUT_SHORT);
            case NONE -> {}
        }
    }

    void endText() {
        forms.endText();
        calls.endText();
        findings.judgeSets();
    }

    /** Whether the part was all of the statement. */
    boolean isWholeStatement() {
        return part == Part.SET;
    }

    /** Whether the rest of the text is a module's body. */
    boolean isModule() {
        return part == Part.DEFINITION && definitions.isModule();
    }

    /** Whether the last definition is one of a table. */
    boolean definesTable() {
        return definitions.isTable();
    }

    /** A module's body does not run now, but options that take effect while a text is parsed may do so there too. */
    boolean seeModule(Token token, Keyword keyword) {
        moduleSet = switch (moduleSet) {
            case NONE -> keyword == Keyword.SET ? ModuleSet.OPTION : ModuleSet.NONE;
            case OPTION, PARSED_OPTION -> {
                boolean parsed = moduleSet == ModuleSet.PARSED_OPTION || SetReader.worksWhileParsing(text);
                yield token != Token.WORD
                        ? ModuleSet.NONE
                        : parsed ? ModuleSet.AFTER_PARSED_OPTION : ModuleSet.AFTER_OPTION;
            }
            case AFTER_OPTION -> token == Token.COMMA ? ModuleSet.OPTION : ModuleSet.NONE;
            case AFTER_PARSED_OPTION ->
                switch (token) {
                    case COMMA -> ModuleSet.PARSED_OPTION;
                    // UPDATE t SET quoted_identifier = 1
                    case EQUALS, DOT, OPERATOR, PLUS, MINUS -> ModuleSet.NONE;
                    default -> {
                        doubt(Doubt.SET_IN_MODULE);
                        yield ModuleSet.NONE;
                    }
                };
        };
        return true;
    }

    private void doubt(Doubt reason) {
        findings.doubt(reason, text.position());
    }

    private Step giveUp(Doubt reason) {
        doubt(reason);
        part = Part.NONE;
        return Step.OVER;
    }

    private Step call(Token token, Keyword keyword) {
        Step step = calls.accept(token, keyword);
        if (step == Step.UNKNOWN) {
            return giveUp(Doubt.UNKNOWN_STATEMENT);
        }
        if (step == Step.OVER && calls.meaning() == Finding.LOCKS_APPLICATION) {
            lockOwner.start();
            part = Part.LOCK_ARGUMENTS;
            return lockArguments(token, keyword);
        }
        return step;
    }

    private Step lockArguments(Token token, Keyword keyword) {
        boolean isOver = token == Token.SEMICOLON
                || keyword.beginsStatement()
                || keyword == Keyword.END
                || keyword == Keyword.ELSE;
        if (isOver) {
            endLockArguments();
            return Step.OVER;
        }
        lockOwner.accept(token);
        return Step.MORE;
    }

    private void endLockArguments() {
        lockOwner.end();
        if (lockOwner.sessionMayOwn()) {
            findings.add(Finding.LOCKS_APPLICATION);
        }
    }

    private Step set(Token token, Keyword keyword, Keyword previousKeyword) {
        if (previousKeyword == Keyword.SET && token == Token.VARIABLE) {
            part = Part.NONE; // SET @x = …
            return Step.OVER;
        }
        if (previousKeyword == Keyword.SET && belongsToDefinition(token, keyword)) {
            statement.resumeBefore();
            part = Part.NONE;
            return Step.OVER;
        }
        Step step = sets.accept(token, keyword);
        if (sets.overflowed()) {
            doubt(Doubt.TOO_MANY);
        }
        if (sets.isStopped()) {
            statement.executionStopped();
        }
        if (step != Step.UNKNOWN) {
            return step;
        }
        if (statement.followsDefinition() && definitions.maySet()) {
            part = Part.NONE;
            return Step.OVER;
        }
        return giveUp(Doubt.UNKNOWN_SET);
    }

    /** ALTER TABLE t SET (…), ON DELETE SET NULL. */
    private boolean belongsToDefinition(Token token, Keyword keyword) {
        return statement.followsDefinition()
                && (token == Token.OPEN || keyword == Keyword.NULL || keyword == Keyword.DEFAULT);
    }

    private Step form(Token token, Keyword keyword) {
        Step step = forms.accept(token, keyword);
        return step == Step.UNKNOWN ? giveUp(forms.doubt()) : step;
    }

    private Step definition(Token token, Keyword keyword) {
        Step step = definitions.accept(token, keyword);
        if (definitions.isModule() && !statement.isFirst()) {
            doubt(Doubt.MODULE_NOT_FIRST);
        }
        return step;
    }
}
