package dev.comporta.tds.sql;

import dev.comporta.tds.sql.word.TokenText;
import dev.comporta.tds.sql.word.WordTable;
import org.jspecify.annotations.Nullable;

/** The system names whose effect outlives the request, or that read values of the previous request. */
final class SystemName {
    private static final WordTable<Finding> GLOBALS = new WordTable<Finding>(32)
            .put("@@IDENTITY", Finding.READS_IDENTITY)
            .putAll(Finding.READS_RESULT, "@@ROWCOUNT @@ERROR")
            .put("@@SPID", Finding.READS_SPID)
            .put("@@TRANCOUNT", Finding.READS_TRANSACTION_STATE)
            .putAll(Finding.USES_CURSOR, "@@FETCH_STATUS @@CURSOR_ROWS")
            .putAll(Finding.READS_OPTIONS, "@@OPTIONS @@LANGID @@LANGUAGE @@DATEFIRST @@LOCK_TIMEOUT @@TEXTSIZE");

    private static final WordTable<Finding> FUNCTIONS = new WordTable<Finding>(32)
            .put("SCOPE_IDENTITY", Finding.READS_IDENTITY)
            .put("ROWCOUNT_BIG", Finding.READS_RESULT)
            .putAll(Finding.READS_TRANSACTION_STATE, "XACT_STATE CURRENT_TRANSACTION_ID")
            .putAll(Finding.READS_SESSION_CONTEXT, "CONTEXT_INFO SESSION_CONTEXT")
            .put("CURSOR_STATUS", Finding.USES_CURSOR)
            .putAll(Finding.READS_OPTIONS, "SESSIONPROPERTY GETANSINULL");

    private static final WordTable<Finding> PROCEDURES = new WordTable<Finding>(64)
            .put("SP_GETAPPLOCK", Finding.LOCKS_APPLICATION)
            .put("SP_RELEASEAPPLOCK", Finding.UNLOCKS_APPLICATION)
            .put("SP_SET_SESSION_CONTEXT", Finding.SETS_SESSION_CONTEXT)
            .putAll(Finding.SETS_APPLICATION_ROLE, "SP_SETAPPROLE SP_UNSETAPPROLE")
            .putAll(Finding.PREPARES_BY_TEXT, "SP_PREPARE SP_PREPEXEC SP_PREPEXECRPC SP_EXECUTE SP_UNPREPARE")
            .putAll(Finding.CURSOR_BY_TEXT, """
                    SP_CURSOR SP_CURSOROPEN SP_CURSORPREPARE SP_CURSOREXECUTE SP_CURSORPREPEXEC SP_CURSORUNPREPARE
                    SP_CURSORFETCH SP_CURSOROPTION SP_CURSORCLOSE
                    """)
            .putAll(Finding.BINDS_SESSION, "SP_BINDSESSION SP_GETBINDTOKEN")
            .putAll(Finding.PREPARES_XML, "SP_XML_PREPAREDOCUMENT SP_XML_REMOVEDOCUMENT")
            .put("SP_EXECUTESQL", Finding.DYNAMIC_SQL)
            .putAll(Finding.OTHER_SESSION_PROCEDURE, """
                    SP_REPLCMDS SP_REPLTRANS SP_REPLDONE SP_REPLFLUSH SP_REPLSETORIGINATOR SP_ENABLE_SQL_DEBUG
                    SP_SDIDEBUG SP_TRACE_GETDATA SP_SETUSERBYLOGIN
                    """)
            .put("SP_RESET_CONNECTION", Finding.RESETS_SESSION);

    /** The DBCC commands that leave the session unchanged. Others, undocumented ones above all, may change it. */
    private static final WordTable<Boolean> HARMLESS_DBCC = WordTable.of("""
            ADDEXTENDEDPROC BUFFER CACHESTATS CHECKALLOC CHECKCATALOG CHECKCONSTRAINTS CHECKDB CHECKFILEGROUP
            CHECKIDENT CHECKTABLE CLEANTABLE CLONEDATABASE CONCURRENCYVIOLATION DBINFO DBREINDEX DBTABLE
            DROPEXTENDEDPROC DROPCLEANBUFFERS ERRORLOG EXTENTINFO FILEHEADER FLUSHAUTHCACHE FLUSHPROCINDB
            FREEPROCCACHE FREESESSIONCACHE FREESYSTEMCACHE HELP IND INDEXDEFRAG INPUTBUFFER LOG LOGINFO MEMORYSTATUS
            MEMUSAGE NEWALLOC OPENTRAN OUTPUTBUFFER PAGE PDW_SHOWEXECUTIONPLAN PDW_SHOWPARTITIONSTATS
            PDW_SHOWSPACEUSED PERFMON PINTABLE PROCCACHE RESOURCE SHOWCONTIG SHOWFILESTATS SHOW_STATISTICS
            SHRINKDATABASE SHRINKFILE SQLMGRSTATS SQLPERF TAB TEXTALL TEXTALLOC TRACEOFF TRACESTATUS UNPINTABLE
            UPDATEUSAGE USEROPTIONS
            """);

    private static final char[] EXECUTE_SQL = "SP_EXECUTESQL".toCharArray();
    private static final char[] TRACE_ON = "TRACEON".toCharArray();

    private SystemName() {}

    /** The finding for reading a variable of that name, or null if none. */
    static @Nullable Finding variable(TokenText name) {
        return name.length() > 1 && name.at(1) == '@' ? GLOBALS.find(name) : null;
    }

    /** The finding for calling a function of that name, or null if none. */
    static @Nullable Finding function(TokenText name) {
        return FUNCTIONS.find(name);
    }

    /** The finding for calling a procedure whose last name part this is, or null if the call itself is all. */
    static @Nullable Finding procedure(TokenText name) {
        return PROCEDURES.find(name);
    }

    /** The finding for a system procedure named in a string, with or without qualifying parts and brackets. */
    static @Nullable Finding procedureNamedBy(TokenText string) {
        int end = string.isTooLong() ? 0 : string.length();
        if (end > 0 && string.at(end - 1) == ']') {
            end--;
        }
        int start = end;
        while (start > 0 && string.at(start - 1) != '.' && string.at(start - 1) != '[') {
            start--;
        }
        return PROCEDURES.find(string, start, end);
    }

    static boolean isExecuteSql(TokenText name) {
        return name.sameAs(EXECUTE_SQL);
    }

    static boolean isTraceOn(TokenText name) {
        return name.sameAs(TRACE_ON);
    }

    static boolean isHarmlessDbcc(TokenText name) {
        return HARMLESS_DBCC.find(name) != null;
    }
}
