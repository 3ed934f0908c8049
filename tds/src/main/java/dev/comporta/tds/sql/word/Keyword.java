package dev.comporta.tds.sql.word;

import org.jspecify.annotations.Nullable;

/**
 * The words of T-SQL that the scanner acts on. T-SQL needs no separator between statements; statements are recognized
 * because the words that begin one are reserved: without brackets or quotes they can't be names.
 */
public enum Keyword {
    // Reserved words that begin a statement anywhere outside parentheses.
    ALTER(Role.STATEMENT),
    BACKUP(Role.STATEMENT),
    BEGIN(Role.CONTROL),
    BREAK(Role.CONTROL),
    BULK(Role.STATEMENT),
    CHECKPOINT(Role.STATEMENT),
    CLOSE(Role.STATEMENT),
    COMMIT(Role.STATEMENT),
    CONTINUE(Role.CONTROL),
    CREATE(Role.STATEMENT),
    DBCC(Role.STATEMENT),
    DEALLOCATE(Role.STATEMENT),
    DECLARE(Role.CONTROL),
    DELETE(Role.STATEMENT),
    DENY(Role.STATEMENT),
    DROP(Role.STATEMENT),
    DUMP(Role.STATEMENT),
    EXEC(Role.STATEMENT),
    EXECUTE(Role.STATEMENT),
    FETCH(Role.STATEMENT),
    GOTO(Role.CONTROL),
    GRANT(Role.STATEMENT),
    IF(Role.CONTROL),
    INSERT(Role.STATEMENT),
    KILL(Role.STATEMENT),
    LINENO(Role.CONTROL),
    LOAD(Role.STATEMENT),
    MERGE(Role.STATEMENT),
    OPEN(Role.STATEMENT),
    PRINT(Role.STATEMENT),
    RAISERROR(Role.STATEMENT),
    READTEXT(Role.STATEMENT),
    RECONFIGURE(Role.STATEMENT),
    RESTORE(Role.STATEMENT),
    RETURN(Role.CONTROL),
    REVERT(Role.STATEMENT),
    REVOKE(Role.STATEMENT),
    ROLLBACK(Role.STATEMENT),
    SAVE(Role.STATEMENT),
    SELECT(Role.STATEMENT),
    SET(Role.STATEMENT),
    SETUSER(Role.STATEMENT),
    SHUTDOWN(Role.STATEMENT),
    TRUNCATE(Role.STATEMENT),
    UPDATE(Role.STATEMENT),
    UPDATETEXT(Role.STATEMENT),
    USE(Role.STATEMENT),
    WAITFOR(Role.STATEMENT),
    WHILE(Role.CONTROL),
    WRITETEXT(Role.STATEMENT),

    // Words that begin a statement only where one must begin: elsewhere they are clauses or names.
    ADD(Role.STATEMENT_AT_START),
    DISABLE(Role.STATEMENT_AT_START),
    ENABLE(Role.STATEMENT_AT_START),
    GET(Role.STATEMENT_AT_START),
    MOVE(Role.STATEMENT_AT_START),
    RECEIVE(Role.STATEMENT_AT_START),
    SEND(Role.STATEMENT_AT_START),
    THROW(Role.STATEMENT_AT_START),
    WITH(Role.STATEMENT_AT_START),

    // Structure within and around statements.
    CASE,
    ELSE,
    END,
    TRY,
    CATCH,

    // Words that distinguish one form of a statement from another.
    ALL,
    ALWAYS,
    AS,
    CALL,
    COMMITTED,
    CONFIGURATION,
    CONVERSATION,
    CURSOR,
    DATABASE,
    DEFAULT,
    DIALOG,
    DISTRIBUTED,
    EXCEPT,
    EXISTS,
    FOR,
    FULLTEXT,
    FUNCTION,
    GLOBAL,
    INTERSECT,
    INTO,
    ISOLATION,
    LEVEL,
    LOCAL,
    MASTER,
    NEXT,
    NO,
    NULL,
    OFF,
    ON,
    OR,
    PROC,
    PROCEDURE,
    READ,
    REPEATABLE,
    ROW,
    ROWS,
    SECONDARY,
    SERIALIZABLE,
    SERVER,
    SNAPSHOT,
    STATISTICS,
    SYMMETRIC,
    TABLE,
    THEN,
    TRAN,
    TRANSACTION,
    TRIGGER,
    UNION,
    UNCOMMITTED,
    VALUES,
    VIEW,

    // ODBC escapes that the server itself understands.
    D,
    ESCAPE,
    FN,
    GUID,
    OJ,
    T,
    TS,

    /** Any other word. */
    NONE;

    enum Role {
        /** Begins a statement that does something. */
        STATEMENT,
        /** Begins a statement that only controls the flow or declares. */
        CONTROL,
        STATEMENT_AT_START,
        /** Begins none. */
        PART
    }

    private static final WordTable<Keyword> WORDS = table();

    private final Role role;

    Keyword() {
        this(Role.PART);
    }

    Keyword(Role role) {
        this.role = role;
    }

    public boolean beginsStatement() {
        return role == Role.STATEMENT || role == Role.CONTROL;
    }

    public boolean beginsStatementAtStart() {
        return role != Role.PART;
    }

    public boolean doesSomething() {
        return role == Role.STATEMENT || role == Role.STATEMENT_AT_START;
    }

    /** Whether, after UPDATE, the word can be its target. */
    public boolean mayBeTarget() {
        return switch (this) {
            case STATISTICS, ON, FOR, WITH, END, ELSE -> false;
            default -> !beginsStatement();
        };
    }

    /** Whether the statement begins a transaction when IMPLICIT_TRANSACTIONS is ON. */
    public boolean opensImplicitTransaction() {
        return switch (this) {
            case ALTER, CREATE, DELETE, DROP, FETCH, GRANT, DENY, INSERT, MERGE, OPEN, REVOKE, SELECT, TRUNCATE -> true;
            case UPDATE, BULK, READTEXT, UPDATETEXT, WRITETEXT, RECEIVE, SEND -> true;
            default -> false;
        };
    }

    public static Keyword of(TokenText token) {
        @Nullable Keyword found = WORDS.find(token);
        return found == null ? NONE : found;
    }

    private static WordTable<Keyword> table() {
        Keyword[] all = values();
        WordTable<Keyword> table = new WordTable<>(all.length);
        for (Keyword keyword : all) {
            if (keyword != NONE) {
                table.put(keyword.name(), keyword);
            }
        }
        return table;
    }
}
