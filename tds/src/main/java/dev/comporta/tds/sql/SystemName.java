package dev.comporta.tds.sql;

import org.jspecify.annotations.Nullable;

/** The names that the server gives a meaning which outlives, or reaches back before, one request. */
final class SystemName {
    private static final WordTable<Finding> GLOBALS = new WordTable<Finding>(32)
            .put("@@IDENTITY", Finding.READS_IDENTITY)
            .put("@@ROWCOUNT", Finding.READS_RESULT)
            .put("@@ERROR", Finding.READS_RESULT)
            .put("@@SPID", Finding.READS_SPID)
            .put("@@TRANCOUNT", Finding.READS_TRANSACTION_STATE)
            .put("@@FETCH_STATUS", Finding.USES_CURSOR)
            .put("@@CURSOR_ROWS", Finding.USES_CURSOR)
            .put("@@OPTIONS", Finding.READS_OPTIONS)
            .put("@@LANGID", Finding.READS_OPTIONS)
            .put("@@LANGUAGE", Finding.READS_OPTIONS)
            .put("@@DATEFIRST", Finding.READS_OPTIONS)
            .put("@@LOCK_TIMEOUT", Finding.READS_OPTIONS)
            .put("@@TEXTSIZE", Finding.READS_OPTIONS);

    private static final WordTable<Finding> FUNCTIONS = new WordTable<Finding>(32)
            .put("SCOPE_IDENTITY", Finding.READS_IDENTITY)
            .put("ROWCOUNT_BIG", Finding.READS_RESULT)
            .put("XACT_STATE", Finding.READS_TRANSACTION_STATE)
            .put("CURRENT_TRANSACTION_ID", Finding.READS_TRANSACTION_STATE)
            .put("CONTEXT_INFO", Finding.READS_SESSION_CONTEXT)
            .put("SESSION_CONTEXT", Finding.READS_SESSION_CONTEXT)
            .put("CURSOR_STATUS", Finding.USES_CURSOR)
            .put("SESSIONPROPERTY", Finding.READS_OPTIONS)
            .put("GETANSINULL", Finding.READS_OPTIONS);

    private static final WordTable<Finding> PROCEDURES = new WordTable<Finding>(64)
            .put("SP_GETAPPLOCK", Finding.LOCKS_APPLICATION)
            .put("SP_RELEASEAPPLOCK", Finding.UNLOCKS_APPLICATION)
            .put("SP_SET_SESSION_CONTEXT", Finding.SETS_SESSION_CONTEXT)
            .put("SP_SETAPPROLE", Finding.SETS_APPLICATION_ROLE)
            .put("SP_UNSETAPPROLE", Finding.SETS_APPLICATION_ROLE)
            .put("SP_PREPARE", Finding.PREPARES_BY_TEXT)
            .put("SP_PREPEXEC", Finding.PREPARES_BY_TEXT)
            .put("SP_PREPEXECRPC", Finding.PREPARES_BY_TEXT)
            .put("SP_EXECUTE", Finding.PREPARES_BY_TEXT)
            .put("SP_UNPREPARE", Finding.PREPARES_BY_TEXT)
            .put("SP_CURSOR", Finding.CURSOR_BY_TEXT)
            .put("SP_CURSOROPEN", Finding.CURSOR_BY_TEXT)
            .put("SP_CURSORPREPARE", Finding.CURSOR_BY_TEXT)
            .put("SP_CURSOREXECUTE", Finding.CURSOR_BY_TEXT)
            .put("SP_CURSORPREPEXEC", Finding.CURSOR_BY_TEXT)
            .put("SP_CURSORUNPREPARE", Finding.CURSOR_BY_TEXT)
            .put("SP_CURSORFETCH", Finding.CURSOR_BY_TEXT)
            .put("SP_CURSOROPTION", Finding.CURSOR_BY_TEXT)
            .put("SP_CURSORCLOSE", Finding.CURSOR_BY_TEXT)
            .put("SP_BINDSESSION", Finding.BINDS_SESSION)
            .put("SP_GETBINDTOKEN", Finding.BINDS_SESSION)
            .put("SP_XML_PREPAREDOCUMENT", Finding.PREPARES_XML)
            .put("SP_XML_REMOVEDOCUMENT", Finding.PREPARES_XML)
            .put("SP_EXECUTESQL", Finding.DYNAMIC_SQL)
            .put("SP_REPLCMDS", Finding.OTHER_SESSION_PROCEDURE)
            .put("SP_REPLTRANS", Finding.OTHER_SESSION_PROCEDURE)
            .put("SP_REPLDONE", Finding.OTHER_SESSION_PROCEDURE)
            .put("SP_REPLFLUSH", Finding.OTHER_SESSION_PROCEDURE)
            .put("SP_REPLSETORIGINATOR", Finding.OTHER_SESSION_PROCEDURE)
            .put("SP_ENABLE_SQL_DEBUG", Finding.OTHER_SESSION_PROCEDURE)
            .put("SP_SDIDEBUG", Finding.OTHER_SESSION_PROCEDURE)
            .put("SP_RESET_CONNECTION", Finding.RESETS_SESSION)
            .put("SP_TRACE_GETDATA", Finding.OTHER_SESSION_PROCEDURE)
            .put("SP_SETUSERBYLOGIN", Finding.OTHER_SESSION_PROCEDURE);

    /** The DBCC commands that leave the session alone. Others, undocumented ones above all, may change it. */
    private static final WordTable<Boolean> HARMLESS_DBCC = harmlessDbcc();

    private static final char[] EXECUTE_SQL = "SP_EXECUTESQL".toCharArray();
    private static final char[] TRACE_ON = "TRACEON".toCharArray();

    private SystemName() {}

    /** What reading a variable of that name means, or null if nothing. */
    static @Nullable Finding variable(TokenText name) {
        return name.length() > 1 && name.at(1) == '@' ? GLOBALS.find(name) : null;
    }

    /** What calling a function of that name means, or null if nothing. */
    static @Nullable Finding function(TokenText name) {
        return FUNCTIONS.find(name);
    }

    /** What calling a procedure means whose last name part this is, or null if nothing more than that. */
    static @Nullable Finding procedure(TokenText name) {
        return PROCEDURES.find(name);
    }

    /** What the server's own procedure of that name does, the name being a string, with parts and brackets or without. */
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

    private static WordTable<Boolean> harmlessDbcc() {
        String[] names = {
            "ADDEXTENDEDPROC",
            "BUFFER",
            "CACHESTATS",
            "CHECKALLOC",
            "CHECKCATALOG",
            "CHECKCONSTRAINTS",
            "CHECKDB",
            "CHECKFILEGROUP",
            "CHECKIDENT",
            "CHECKTABLE",
            "CLEANTABLE",
            "CLONEDATABASE",
            "CONCURRENCYVIOLATION",
            "DBINFO",
            "DBREINDEX",
            "DBTABLE",
            "DROPEXTENDEDPROC",
            "DROPCLEANBUFFERS",
            "ERRORLOG",
            "EXTENTINFO",
            "FILEHEADER",
            "FLUSHAUTHCACHE",
            "FLUSHPROCINDB",
            "FREEPROCCACHE",
            "FREESESSIONCACHE",
            "FREESYSTEMCACHE",
            "HELP",
            "IND",
            "INDEXDEFRAG",
            "INPUTBUFFER",
            "LOG",
            "LOGINFO",
            "MEMORYSTATUS",
            "MEMUSAGE",
            "NEWALLOC",
            "OPENTRAN",
            "OUTPUTBUFFER",
            "PAGE",
            "PDW_SHOWEXECUTIONPLAN",
            "PDW_SHOWPARTITIONSTATS",
            "PDW_SHOWSPACEUSED",
            "PERFMON",
            "PINTABLE",
            "PROCCACHE",
            "RESOURCE",
            "SHOWCONTIG",
            "SHOWFILESTATS",
            "SHOW_STATISTICS",
            "SHRINKDATABASE",
            "SHRINKFILE",
            "SQLMGRSTATS",
            "SQLPERF",
            "TAB",
            "TEXTALL",
            "TEXTALLOC",
            "TRACEOFF",
            "TRACESTATUS",
            "UNPINTABLE",
            "UPDATEUSAGE",
            "USEROPTIONS"
        };
        WordTable<Boolean> table = new WordTable<>(names.length);
        for (String name : names) {
            table.put(name, Boolean.TRUE);
        }
        return table;
    }
}
