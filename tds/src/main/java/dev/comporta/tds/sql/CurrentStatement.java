package dev.comporta.tds.sql;

import dev.comporta.tds.sql.word.Keyword;
import dev.comporta.tds.sql.word.Token;
import dev.comporta.tds.sql.word.TokenText;
import org.jspecify.annotations.Nullable;

/** The statement that is being read, and what the text did before it. Belongs to one scanner. */
final class CurrentStatement {
    private final TokenText text;
    private final SqlFindings findings;
    private Keyword head = Keyword.NONE;
    private Keyword headBefore = Keyword.NONE;
    private boolean isCertain;
    private boolean wasCertain;
    private boolean isFirst;
    private boolean hasRows;
    private boolean dropsTable;
    private boolean droppedTable;
    private int statementsBefore;
    private boolean identityBefore;
    private boolean madeIdentity;
    /** An option of this text may have stopped execution: a later statement may not have run although the text ended. */
    private boolean isStopped;

    CurrentStatement(TokenText text, SqlFindings findings) {
        this.text = text;
        this.findings = findings;
    }

    void startText() {
        head = Keyword.NONE;
        headBefore = Keyword.NONE;
        isCertain = true;
        wasCertain = true;
        droppedTable = false;
        isFirst = true;
        hasRows = false;
        dropsTable = false;
        statementsBefore = 0;
        identityBefore = false;
        madeIdentity = false;
        isStopped = false;
    }

    void begin(Keyword first, boolean certain, boolean firstOfText) {
        headBefore = head;
        head = first;
        wasCertain = isCertain;
        droppedTable = dropsTable;
        isCertain = certain;
        isFirst = firstOfText;
        hasRows = false;
        dropsTable = false;
        statementsBefore = findings.statements();
        identityBefore = madeIdentity;
        if (!Harmless.isHead(first)) {
            findings.mayLeave();
        }
        if (first.doesSomething()) {
            findings.countStatement();
        }
        if (first.opensImplicitTransaction()) {
            findings.add(Finding.OPENS_IMPLICIT_TRANSACTION);
        }
        switch (first) {
            case INSERT, MERGE, BULK, EXEC, EXECUTE -> madeIdentity = true;
            case COMMIT, ROLLBACK -> findings.add(Finding.ENDS_TRANSACTION);
            case FETCH -> findings.add(Finding.USES_CURSOR);
            case REVERT -> findings.add(Finding.REVERTS_IMPERSONATION);
            case SETUSER -> findings.add(Finding.IMPERSONATES);
            default -> {}
        }
    }

    /** The statement turned out to call a procedure by its bare name. */
    void isBareCall() {
        madeIdentity = true;
        findings.countStatement();
    }

    boolean creates() {
        return head == Keyword.CREATE;
    }

    boolean calls() {
        return head == Keyword.EXEC || head == Keyword.EXECUTE;
    }

    /** Whether the previous statement is a definition, to which a SET NULL or a SET (…) may belong. */
    boolean followsDefinition() {
        return headBefore == Keyword.ALTER || headBefore == Keyword.CREATE;
    }

    /** The word that seemed to begin this statement was a clause of the previous one. */
    void resumeBefore() {
        head = headBefore;
        isCertain = wasCertain;
        dropsTable = droppedTable;
    }

    boolean isCertain() {
        return isCertain;
    }

    void executionStopped() {
        isStopped = true;
    }

    /** Whether it has run if the text ran without an error, so that an object that it drops is gone. */
    boolean isSure() {
        return isCertain && !isStopped;
    }

    boolean isFirst() {
        return isFirst;
    }

    /** Looks for words within a statement that say more about it. */
    void see(Keyword keyword, Keyword previous) {
        if (keyword == Keyword.VALUES) {
            hasRows = true;
        } else if (keyword == Keyword.TABLE && previous == Keyword.DROP) {
            dropsTable = true;
        }
    }

    boolean dropsTable() {
        return dropsTable;
    }

    /** Adds the finding for reading the variable of the current token, if there is one. */
    void noteVariable() {
        note(SystemName.variable(text));
    }

    /** Adds the finding for calling the function that the current token names, if there is one. */
    void noteFunction() {
        note(SystemName.function(text));
    }

    void note(@Nullable Finding read) {
        if (read == null) {
            return;
        }
        findings.add(read);
        if (read == Finding.READS_IDENTITY && !identityBefore) {
            findings.add(Finding.READS_PREVIOUS_IDENTITY);
        }
        if (read == Finding.READS_RESULT && statementsBefore == 0) {
            findings.add(Finding.READS_PREVIOUS_RESULT);
        }
    }

    /** Whether the word is a clause of this statement, though it could begin another statement. */
    boolean goesOnWith(Keyword keyword, Keyword previousKeyword, Token previous) {
        if (head == Keyword.GRANT || head == Keyword.DENY || head == Keyword.REVOKE) {
            // A permission: GRANT SELECT, EXECUTE … REVOKE GRANT OPTION FOR UPDATE …
            return previousKeyword == head || previousKeyword == Keyword.FOR || previous == Token.COMMA;
        }
        return switch (keyword) {
            case ROLLBACK -> previousKeyword == Keyword.WITH; // ALTER DATABASE … WITH ROLLBACK IMMEDIATE
            case REVERT -> previousKeyword == Keyword.NO; // EXECUTE AS … WITH NO REVERT
            case FETCH -> previousKeyword == Keyword.ROW || previousKeyword == Keyword.ROWS; // OFFSET … ROWS FETCH …
            case SELECT -> goesOnWithSelect(previousKeyword);
            case INSERT, UPDATE, DELETE -> goesOnWithChange(previousKeyword);
            default -> false;
        };
    }

    private boolean goesOnWithSelect(Keyword previousKeyword) {
        return switch (previousKeyword) {
            case UNION, ALL, EXCEPT, INTERSECT -> true;
            default -> {
                boolean isSource = head == Keyword.INSERT && !hasRows;
                hasRows = true;
                yield isSource;
            }
        };
    }

    /** WHEN MATCHED THEN UPDATE…, ON DELETE CASCADE, CURSOR … FOR UPDATE. */
    private static boolean goesOnWithChange(Keyword previousKeyword) {
        return switch (previousKeyword) {
            case THEN, ON, FOR -> true;
            default -> false;
        };
    }
}
