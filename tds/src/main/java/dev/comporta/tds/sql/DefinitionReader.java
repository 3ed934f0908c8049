package dev.comporta.tds.sql;

import dev.comporta.tds.sql.word.Keyword;
import dev.comporta.tds.sql.word.Token;
import dev.comporta.tds.sql.word.TokenText;

/**
 * Reads CREATE and ALTER as far as it decides how to read on: whether a module's body follows, or a SET that is not of the
 * session. Belongs to one scanner.
 */
final class DefinitionReader {
    private enum State {
        KIND,
        /** After ALTER DATABASE, until its own SET. */
        DATABASE,
        MODULE_NAME,
        MODULE_NAME_END
    }

    private final TokenText text;
    private final SqlFindings findings;
    private State state = State.KIND;
    private boolean isAlter;
    private boolean isModule;
    private boolean isTable;
    private boolean maySet;
    private int databaseWords;
    private Keyword last = Keyword.NONE;

    DefinitionReader(TokenText text, SqlFindings findings) {
        this.text = text;
        this.findings = findings;
    }

    void start(Keyword statement) {
        state = State.KIND;
        isAlter = statement == Keyword.ALTER;
        isModule = false;
        isTable = false;
        maySet = false;
        databaseWords = 0;
        last = statement;
    }

    /** Whether the rest of the text is the body of a procedure, function, trigger or view. */
    boolean isModule() {
        return isModule;
    }

    boolean isTable() {
        return isTable;
    }

    /** Whether the text may end here: ALTER DATABASE name COLLATE name. */
    boolean mayEnd() {
        return state == State.DATABASE && databaseWords > 1;
    }

    /** Whether an unknown SET that follows belongs to this statement. */
    boolean maySet() {
        return maySet;
    }

    Step accept(Token token, Keyword keyword) {
        Step step = switch (state) {
            case KIND -> kind(token, keyword);
            case DATABASE -> database(token, keyword);
            case MODULE_NAME -> moduleName(token);
            case MODULE_NAME_END -> moduleNameEnd(token);
        };
        last = keyword;
        return step;
    }

    private Step kind(Token token, Keyword keyword) {
        return switch (keyword) {
            case PROC, PROCEDURE, FUNCTION, TRIGGER, VIEW -> {
                isModule = true;
                findings.add(Finding.DEFINES_MODULE);
                state = State.MODULE_NAME;
                yield Step.MORE;
            }
            case OR -> Step.MORE;
            case ALTER -> last == Keyword.OR ? Step.MORE : Step.OVER;
            case DATABASE -> {
                state = State.DATABASE;
                yield isAlter ? Step.MORE : Step.LAST;
            }
            case FULLTEXT, SERVER -> {
                maySet = isAlter;
                yield Step.LAST;
            }
            case TABLE -> {
                isTable = true;
                yield Step.LAST;
            }
            default -> token == Token.WORD ? Step.LAST : Step.OVER;
        };
    }

    /** ALTER DATABASE name SET…, ALTER DATABASE SCOPED CONFIGURATION [FOR SECONDARY] SET…; any other SET is the session's. */
    private Step database(Token token, Keyword keyword) {
        if (keyword == Keyword.SET) {
            boolean own = databaseWords == 1 || last == Keyword.CONFIGURATION || last == Keyword.SECONDARY;
            return own ? Step.LAST : Step.OVER;
        }
        boolean isName = token == Token.DELIMITED || (token == Token.WORD && !keyword.beginsStatement());
        if (!isName) {
            return Step.OVER;
        }
        databaseWords++;
        return Step.MORE;
    }

    private Step moduleName(Token token) {
        if (token == Token.DOT) {
            return Step.MORE;
        }
        if (token != Token.WORD && token != Token.DELIMITED) {
            return Step.OVER;
        }
        if (text.startsWith('#')) {
            findings.add(Finding.CREATES_TEMPORARY);
        }
        state = State.MODULE_NAME_END;
        return Step.MORE;
    }

    private Step moduleNameEnd(Token token) {
        if (token != Token.DOT) {
            return Step.OVER;
        }
        state = State.MODULE_NAME;
        return Step.MORE;
    }
}
