package dev.comporta.console.sql;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The keywords, in upper case. */
final class Words {
    /** SHOW and the commands of an administrator: not T-SQL keywords, so they may also be names. */
    static final List<String> COMMANDS =
            List.of(words("SHOW PAUSE RESUME RECONNECT RELOAD DRAIN KILL SELECT SET CREATE ALTER DROP USE EXEC"));

    /** Statements that would change data, or the database, on a server. */
    static final Set<String> CHANGES = Set.of(words("""
            INSERT UPDATE DELETE MERGE TRUNCATE CREATE ALTER DROP GRANT REVOKE DENY BULK BACKUP RESTORE DBCC RECONFIGURE
            SHUTDOWN
            """));

    /** Not a name unless in brackets: otherwise the next clause or statement would be taken for an alias. */
    static final Set<String> RESERVED = Set.of(words("""
            INTO VALUES SELECT DISTINCT TOP FROM WHERE GROUP HAVING ORDER BY UNION EXCEPT INTERSECT ALL AS ON JOIN INNER
            LEFT RIGHT FULL OUTER CROSS AND OR NOT IN BETWEEN LIKE ESCAPE IS NULL CASE WHEN THEN ELSE END EXISTS ASC
            DESC SET IF BEGIN COMMIT ROLLBACK SAVE USE EXEC EXECUTE DECLARE INSERT UPDATE DELETE MERGE TRUNCATE CREATE
            ALTER DROP GRANT REVOKE DENY WITH FOR OPTION COLLATE OVER KILL WHILE PRINT GO OFFSET RETURN
            """));

    /** Options that drivers SET when they connect, and that have no meaning here. */
    static final List<String> IGNORED_OPTIONS = List.of(words("""
            NOCOUNT QUOTED_IDENTIFIER ANSI_NULLS ANSI_PADDING ANSI_WARNINGS ANSI_DEFAULTS ANSI_NULL_DFLT_ON
            ANSI_NULL_DFLT_OFF ARITHABORT ARITHIGNORE CONCAT_NULL_YIELDS_NULL NUMERIC_ROUNDABORT TEXTSIZE LOCK_TIMEOUT
            ROWCOUNT LANGUAGE DATEFORMAT DATEFIRST TRANSACTION IMPLICIT_TRANSACTIONS XACT_ABORT CURSOR_CLOSE_ON_COMMIT
            DEADLOCK_PRIORITY FMTONLY NOEXEC PARSEONLY NO_BROWSETABLE REMOTE_PROC_TRANSACTIONS STATISTICS FORCEPLAN
            SHOWPLAN_ALL SHOWPLAN_TEXT SHOWPLAN_XML FIPS_FLAGGER QUERY_GOVERNOR_COST_LIMIT OFFSETS
            """));

    private Words() {}

    private static String[] words(String all) {
        return all.strip().split("\\s+", -1);
    }

    static boolean isReserved(Token token) {
        return token.kind() == Token.Kind.WORD && RESERVED.contains(upper(token));
    }

    static String upper(Token token) {
        return token.text().toUpperCase(Locale.ROOT);
    }
}
