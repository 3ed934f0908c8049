package dev.comporta.tds.sql;

import dev.comporta.tds.sql.word.Keyword;
import dev.comporta.tds.sql.word.TokenText;
import dev.comporta.tds.sql.word.WordTable;

/**
 * The positive list behind {@link SqlFindings#leavesNothing()}: statements, words and calls that are known to leave
 * nothing in the session and to change nothing about its transaction. Everything else is not harmless, however harmless
 * it looks: a user's function may call extended procedures, a function of Babelfish may set a variable of the session,
 * and RAND(seed) decides what the session's next RAND() returns.
 */
final class Harmless {
    /** Words allowed before a parenthesis: syntax, types, and built-in functions that only compute or read. */
    private static final WordTable<Boolean> BEFORE_PARENTHESIS = WordTable.of("""
            ALL AND ANY APPLY AS AUTO BETWEEN BY CASE CHECK CLUSTERED CROSS CUBE DEFAULT DISTINCT ELSE ESCAPE EXCEPT EXISTS
            EXPLICIT FOR FORCESEEK FROM GROUP GROUPING HAVING HINT IDENTITY IF IN INDEX INTERSECT JOIN KEY LIKE
            NONCLUSTERED NOT OFFSET ON OPTION OR OVER PATH PERCENT PIVOT PRINT RAW REPEATABLE RETURN ROLLUP ROOT SELECT
            SETS SOME SYSTEM TABLE TABLESAMPLE THEN TOP UNION UNIQUE UNPIVOT VALUES WHEN WHERE WHILE WITH XMLNAMESPACES

            BINARY CHAR CHARACTER DATETIME2 DATETIMEOFFSET DEC DECIMAL FLOAT NCHAR NUMERIC NVARCHAR TIME VARBINARY VARCHAR
            VARYING XML

            APPROX_COUNT_DISTINCT APPROX_PERCENTILE_CONT APPROX_PERCENTILE_DISC AVG CHECKSUM CHECKSUM_AGG COUNT COUNT_BIG
            GROUPING_ID MAX MIN STDEV STDEVP STRING_AGG SUM VAR VARP
            CUME_DIST DENSE_RANK FIRST_VALUE LAG LAST_VALUE LEAD NTILE PERCENT_RANK PERCENTILE_CONT PERCENTILE_DISC RANK
            ROW_NUMBER

            ASCII CHARINDEX CONCAT CONCAT_WS DATALENGTH DIFFERENCE FORMAT FORMATMESSAGE LEFT LEN LOWER LTRIM PARSENAME
            PATINDEX QUOTENAME REPLACE REPLICATE REVERSE RIGHT RTRIM SOUNDEX SPACE STR STRING_ESCAPE STRING_SPLIT STUFF
            SUBSTRING TRANSLATE TRIM UNICODE UPPER

            ABS ACOS ASIN ATAN ATN2 CEILING COS COT DEGREES EXP FLOOR GREATEST LEAST LOG LOG10 PI POWER RADIANS ROUND SIGN
            SIN SQRT SQUARE TAN
            BIT_COUNT GET_BIT LEFT_SHIFT RIGHT_SHIFT SET_BIT

            CURRENT_TIMEZONE CURRENT_TIMEZONE_ID DATE_BUCKET DATEADD DATEDIFF DATEDIFF_BIG DATEFROMPARTS DATENAME DATEPART
            DATETIME2FROMPARTS DATETIMEFROMPARTS DATETIMEOFFSETFROMPARTS DATETRUNC DAY EOMONTH GETDATE GETUTCDATE ISDATE
            MONTH SMALLDATETIMEFROMPARTS SWITCHOFFSET SYSDATETIME SYSDATETIMEOFFSET SYSUTCDATETIME TIMEFROMPARTS
            TODATETIMEOFFSET YEAR

            CAST CHOOSE COALESCE CONVERT IIF ISNULL ISNUMERIC NULLIF PARSE TRY_CAST TRY_CONVERT TRY_PARSE
            ISJSON JSON_ARRAY JSON_MODIFY JSON_OBJECT JSON_PATH_EXISTS JSON_QUERY JSON_VALUE OPENJSON
            BINARY_CHECKSUM COMPRESS DECOMPRESS GENERATE_SERIES HASHBYTES NEWID

            APP_NAME APPLOCK_MODE APPLOCK_TEST COL_LENGTH COL_NAME COLUMNPROPERTY CONNECTIONPROPERTY CONTEXT_INFO
            CURRENT_TRANSACTION_ID DATABASE_PRINCIPAL_ID DATABASEPROPERTYEX DB_ID DB_NAME ERROR_LINE ERROR_MESSAGE
            ERROR_NUMBER ERROR_PROCEDURE ERROR_SEVERITY ERROR_STATE FILE_ID FILE_NAME FILEGROUP_NAME GETANSINULL HAS_DBACCESS
            HAS_PERMS_BY_NAME HOST_ID HOST_NAME IDENT_CURRENT IDENT_INCR IDENT_SEED INDEX_COL INDEXKEY_PROPERTY
            INDEXPROPERTY IS_MEMBER IS_ROLEMEMBER IS_SRVROLEMEMBER OBJECT_DEFINITION OBJECT_ID OBJECT_NAME
            OBJECT_SCHEMA_NAME OBJECTPROPERTY OBJECTPROPERTYEX ORIGINAL_DB_NAME ORIGINAL_LOGIN ROWCOUNT_BIG SCHEMA_ID
            SCHEMA_NAME SCOPE_IDENTITY SERVERPROPERTY SESSION_CONTEXT SESSIONPROPERTY STATS_DATE SUSER_ID SUSER_NAME
            SUSER_SID SUSER_SNAME TYPE_ID TYPE_NAME TYPEPROPERTY USER_ID USER_NAME XACT_STATE
            """);

    private Harmless() {}

    /** Whether a statement that begins with this word may be harmless; the rest of the statement decides. */
    static boolean isHead(Keyword first) {
        return switch (first) {
            case SELECT, WITH, DECLARE, SET, PRINT, WAITFOR, USE -> true;
            case BEGIN, IF, WHILE, BREAK, CONTINUE, RETURN -> true;
            default -> false;
        };
    }

    /**
     * Whether the word is allowed within a harmless statement. SELECT INTO makes a table; changes may be nested in a FROM;
     * NEXT VALUE FOR advances a sequence, which Babelfish remembers for the session.
     */
    static boolean isWithin(Keyword word, Keyword previous) {
        return switch (word) {
            case INTO, CURSOR, CALL -> false;
            case NEXT -> previous == Keyword.FETCH;
            case SELECT, FETCH, USE, WITH -> true;
            default -> !word.beginsStatementAtStart();
        };
    }

    /** Whether the word is harmless before a parenthesis. */
    static boolean isBeforeParenthesis(TokenText word) {
        return BEFORE_PARENTHESIS.find(word) != null;
    }

    /** Whether an option is harmless to set, given that it is tracked and replayed. */
    static boolean isOption(SetOption option) {
        return switch (option) {
            case IMPLICIT_TRANSACTIONS, ANSI_DEFAULTS -> false; // the next SELECT may open a transaction
            default -> option.isReplayable();
        };
    }
}
