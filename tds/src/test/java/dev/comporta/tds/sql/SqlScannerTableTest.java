package dev.comporta.tds.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Text on the left, what it means for pooling on the right; nothing on the right means that the client may go. */
class SqlScannerTableTest {
    private static final String TRANSACTIONS = """
            BEGIN TRAN                                            => BEGINS_TRANSACTION
            begin transaction t1 with mark 'x'                    => BEGINS_TRANSACTION
            BEGIN DISTRIBUTED TRAN                                => BEGINS_TRANSACTION
            IF @@TRANCOUNT > 0 COMMIT TRAN                        => ENDS_TRANSACTION, READS_TRANSACTION_STATE
            IF @@TRANCOUNT = 0 BEGIN TRAN                         => BEGINS_TRANSACTION, READS_TRANSACTION_STATE
            COMMIT                                                => ENDS_TRANSACTION
            COMMIT WORK                                           => ENDS_TRANSACTION
            ROLLBACK TRANSACTION sp1                              => ENDS_TRANSACTION
            SAVE TRAN sp1                                         => SAVES_TRANSACTION
            SELECT 1 BEGIN TRAN SELECT 2 COMMIT                   => BEGINS_TRANSACTION, ENDS_TRANSACTION
            SELECT 1;BEGIN/**/TRAN                                => BEGINS_TRANSACTION
            BEGIN SELECT 1 END                                    =>
            BEGIN BEGIN TRAN END                                  => BEGINS_TRANSACTION
            BEGIN TRY SELECT 1 END TRY BEGIN CATCH ROLLBACK END CATCH => ENDS_TRANSACTION
            BEGIN DIALOG CONVERSATION @h FROM SERVICE a TO SERVICE 'b' =>
            BEGIN CONVERSATION TIMER (@h) TIMEOUT = 60            =>
            END CONVERSATION @h                                   =>
            SELECT 'BEGIN TRAN', [BEGIN TRAN], "BEGIN TRAN" -- BEGIN TRAN =>
            ALTER DATABASE d SET SINGLE_USER WITH ROLLBACK IMMEDIATE =>
            """;

    private static final String OPTIONS = """
            SET NOCOUNT ON                                        => SETS_OPTION
            SET ANSI_NULLS, QUOTED_IDENTIFIER ON                  => SETS_OPTION
            SET TRANSACTION ISOLATION LEVEL READ COMMITTED        => SETS_OPTION
            SET LOCK_TIMEOUT -1 SET TEXTSIZE 2147483647           => SETS_OPTION
            SET LANGUAGE N'Português'                             => SETS_OPTION
            SET DEADLOCK_PRIORITY LOW; SET DEADLOCK_PRIORITY -5   => SETS_OPTION
            SET ROWCOUNT @n                                       => SETS_OPTION_FROM_VARIABLE
            SET ROWCOUNT @n; SET ROWCOUNT 0                       => SETS_OPTION
            IF @x = 1 SET NOCOUNT ON                              => SETS_OPTION_PERHAPS
            IF @x = 1 SET NOCOUNT ON ELSE SET NOCOUNT OFF         => SETS_OPTION_PERHAPS
            IF @x = 1 SET NOCOUNT ON; SET NOCOUNT OFF             => SETS_OPTION
            IF @x = 1 SELECT 1; SET NOCOUNT ON                    => SETS_OPTION
            IF @x = 1 SELECT 1 SET NOCOUNT ON                     => SETS_OPTION
            IF @x = 1 BEGIN SELECT 1 SET NOCOUNT ON END           => SETS_OPTION_PERHAPS
            IF @x = 1 BEGIN SELECT 1 END SET NOCOUNT ON           => SETS_OPTION
            IF @x = 1 IF @y = 1 SET NOCOUNT ON                    => SETS_OPTION_PERHAPS
            IF CASE WHEN @x = 1 THEN 1 ELSE 0 END = 1 SET NOCOUNT ON => SETS_OPTION_PERHAPS
            IF EXISTS (SELECT 1 FROM t) SET NOCOUNT ON            => SETS_OPTION_PERHAPS
            IF @x = 1 THROW 50000, 'no', 1; SET NOCOUNT ON        => SETS_OPTION
            DROP TABLE IF EXISTS t SET NOCOUNT ON                 => SETS_OPTION
            DROP TABLE t IF EXISTS (SELECT 1) SET NOCOUNT ON      => SETS_OPTION_PERHAPS
            WHILE @i < 9 SET NOCOUNT ON                           => SETS_OPTION_PERHAPS
            WHILE 1 = 0 BEGIN SELECT 1 END; SET NOCOUNT ON        => SETS_OPTION
            BEGIN SET NOCOUNT ON END                              => SETS_OPTION
            BEGIN TRY SET NOCOUNT ON END TRY BEGIN CATCH PRINT 'x' END CATCH => SETS_OPTION_PERHAPS
            BEGIN TRY SELECT 1 END TRY BEGIN CATCH PRINT 'x' END CATCH SET NOCOUNT ON => SETS_OPTION
            IF @x = 1 RETURN; SET NOCOUNT ON                      => SETS_OPTION_PERHAPS
            GOTO done; SET NOCOUNT ON; done:                      => SETS_OPTION_PERHAPS
            again: SET NOCOUNT ON                                 => SETS_OPTION
            SELECT 1 SET NOCOUNT ON SELECT CASE WHEN 1 = 1 THEN 2 ELSE 3 END => SETS_OPTION
            SET NOEXEC ON                                         => SETS_UNREPLAYABLE_OPTION
            SET FMTONLY ON SELECT 1 SET FMTONLY OFF               =>
            SET NOEXEC ON; SET NOCOUNT ON; SET NOEXEC OFF         => SETS_OPTION_PERHAPS
            SET NOEXEC OFF; SET NOCOUNT ON                        => SETS_OPTION
            SET NOCOUNT ON; SET PARSEONLY ON; SET PARSEONLY OFF   => SETS_OPTION_PERHAPS
            SET IDENTITY_INSERT t ON; SET NOEXEC ON; SET IDENTITY_INSERT t OFF; SET NOEXEC OFF => SETS_OPTION_PERHAPS, SETS_UNREPLAYABLE_OPTION, SETS_IDENTITY_INSERT
            SET NO_BROWSETABLE ON                                 => SETS_UNREPLAYABLE_OPTION
            SET SHOWPLAN_XML ON                                   => SETS_UNREPLAYABLE_OPTION
            SET STATISTICS IO, TIME ON                            => SETS_UNREPLAYABLE_OPTION
            SET STATISTICS IO OFF                                 =>
            SET IDENTITY_INSERT dbo.t ON; INSERT t VALUES (1); SET IDENTITY_INSERT dbo.t OFF => SETS_IDENTITY_INSERT
            SET IDENTITY_INSERT a ON; SET IDENTITY_INSERT b OFF   => SETS_UNREPLAYABLE_OPTION, SETS_IDENTITY_INSERT
            SET OFFSETS SELECT, FROM ON                           => SETS_UNREPLAYABLE_OPTION
            SET FIPS_FLAGGER OFF                                  =>
            SET CONTEXT_INFO 0x01                                 => SETS_CONTEXT_INFO
            SET CONTEXT_INFO @c                                   => SETS_CONTEXT_INFO
            SET @x = 1                                            =>
            SET @c = CURSOR FOR SELECT 1                          =>
            UPDATE t SET nocount = 1, rowcount = 2                =>
            UPDATE TOP (5) t WITH (ROWLOCK) SET a = 1 FROM t      =>
            UPDATE @t SET a = 1 SET NOCOUNT ON                    => SETS_OPTION
            UPDATE STATISTICS t SET NOCOUNT ON                    => SETS_OPTION
            MERGE t USING s ON t.a = s.a WHEN MATCHED THEN UPDATE SET nocount = 1 WHEN NOT MATCHED THEN INSERT (a) VALUES (1); =>
            DECLARE c CURSOR LOCAL FOR SELECT a FROM t FOR UPDATE SET NOCOUNT ON => SETS_OPTION, USES_CURSOR
            ALTER DATABASE d SET ANSI_NULLS ON                    =>
            ALTER DATABASE CURRENT SET RECOVERY SIMPLE SET NOCOUNT ON => SETS_OPTION
            ALTER DATABASE d COLLATE Latin1_General_CI_AS SET NOCOUNT ON => SETS_OPTION
            ALTER DATABASE SCOPED CONFIGURATION FOR SECONDARY SET MAXDOP = 4 =>
            ALTER DATABASE SCOPED CONFIGURATION CLEAR PROCEDURE_CACHE SET NOCOUNT ON => SETS_OPTION
            ALTER TABLE t SET (LOCK_ESCALATION = AUTO)            =>
            ALTER TABLE t ADD c int SET NOCOUNT ON                => SETS_OPTION
            ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES u (a) ON DELETE SET NULL ON UPDATE SET DEFAULT =>
            ALTER FULLTEXT INDEX ON t SET CHANGE_TRACKING AUTO    =>
            ALTER SERVER CONFIGURATION SET PROCESS AFFINITY CPU = AUTO =>
            SET SOMETHING ON                                      => NOT_UNDERSTOOD
            SET ROWCOUNT 5 + 1                                    => SETS_OPTION, NOT_UNDERSTOOD
            SET ROWCOUNT 'x'                                      => NOT_UNDERSTOOD
            """;

    private static final String OBJECTS = """
            USE master                                            => CHANGES_DATABASE
            SELECT 1 USE [my db]                                  => CHANGES_DATABASE
            SELECT 1 OPTION (USE HINT ('x'))                      =>
            CREATE TABLE #t (a int)                               => CREATES_TEMPORARY, USES_TEMPORARY
            CREATE TABLE tempdb..#t (a int)                       => CREATES_TEMPORARY, USES_TEMPORARY
            CREATE TABLE [#t] (a int)                             => CREATES_TEMPORARY, USES_TEMPORARY
            CREATE TABLE ##t (a int)                              => CREATES_TEMPORARY, USES_TEMPORARY
            CREATE TABLE #t (a int) INSERT #t VALUES (1) DROP TABLE #t => DROPS_OWN_TEMPORARY, USES_TEMPORARY
            SELECT 1 AS a INTO #t; DROP TABLE IF EXISTS #t        => DROPS_OWN_TEMPORARY, USES_TEMPORARY
            SELECT 1 AS a INTO #t; DROP TABLE [#T], #u            => DROPS_OWN_TEMPORARY, USES_TEMPORARY
            CREATE TABLE #t (a int) IF @x = 1 DROP TABLE #t       => CREATES_TEMPORARY, USES_TEMPORARY
            CREATE TABLE #t (a int) IF @x = 1 DROP TABLE IF EXISTS #t => CREATES_TEMPORARY, USES_TEMPORARY
            CREATE TABLE #t (a int) DROP INDEX i ON #t            => CREATES_TEMPORARY, USES_TEMPORARY
            CREATE TABLE #t (a int) DROP INDEX #t.i               => CREATES_TEMPORARY, USES_TEMPORARY
            CREATE TABLE #t (a int) SET NOEXEC ON DROP TABLE #t SET NOEXEC OFF => CREATES_TEMPORARY, USES_TEMPORARY
            CREATE TABLE #t (a int) SET FMTONLY ON DROP TABLE #t SET FMTONLY OFF => CREATES_TEMPORARY, USES_TEMPORARY
            CREATE TABLE #t (a int) SET NOEXEC OFF DROP TABLE #t  => DROPS_OWN_TEMPORARY, USES_TEMPORARY
            CREATE TABLE #t (a int) BEGIN TRY DROP TABLE #t END TRY BEGIN CATCH PRINT 'x' END CATCH => CREATES_TEMPORARY, USES_TEMPORARY
            CREATE TABLE #t (a int) BEGIN TRAN DROP TABLE #t ROLLBACK => BEGINS_TRANSACTION, ENDS_TRANSACTION, CREATES_TEMPORARY, USES_TEMPORARY
            CREATE TABLE #t (a int) SAVE TRAN s DROP TABLE #t     => SAVES_TRANSACTION, CREATES_TEMPORARY, USES_TEMPORARY
            CREATE TABLE #t (a int) DROP TABLE #t ROLLBACK TRAN s => ENDS_TRANSACTION, CREATES_TEMPORARY, USES_TEMPORARY
            CREATE TABLE #t (a int) INSERT #t EXEC p DROP TABLE #t SELECT 1 => CALLS_PROCEDURE, DROPS_OWN_TEMPORARY, USES_TEMPORARY
            CREATE TABLE #t (a int) EXEC p DROP TABLE #t EXEC q   => CALLS_PROCEDURE, CREATES_TEMPORARY, USES_TEMPORARY
            CREATE TABLE #t (a int) DROP TABLE #t EXEC q          => CALLS_PROCEDURE, DROPS_OWN_TEMPORARY, USES_TEMPORARY
            IF @x = 1 SELECT 1 a INTO #t ELSE SELECT 2 a INTO #t; DROP TABLE #t => DROPS_OWN_TEMPORARY, USES_TEMPORARY
            DROP TABLE #t CREATE TABLE #t (a int)                 => CREATES_TEMPORARY, USES_TEMPORARY
            SELECT a INTO #t FROM u                               => CREATES_TEMPORARY, USES_TEMPORARY
            SELECT a INTO tempdb.dbo.#t FROM u                    => CREATES_TEMPORARY, USES_TEMPORARY
            SELECT a INTO t FROM #u                               => USES_TEMPORARY
            SELECT a INTO t FROM u, #v                            => USES_TEMPORARY
            INSERT INTO #t VALUES (1)                             => USES_TEMPORARY
            DROP TABLE IF EXISTS #t                               => USES_TEMPORARY
            SELECT * FROM #t                                      => USES_TEMPORARY
            CREATE INDEX i ON #t (a)                              => USES_TEMPORARY
            CREATE PROC #p AS SELECT 1                            => CREATES_TEMPORARY, DEFINES_MODULE
            CREATE SYMMETRIC KEY #k WITH ALGORITHM = AES_256      => CREATES_TEMPORARY, USES_TEMPORARY
            SELECT '#t'                                           =>
            DECLARE @t TABLE (a int) INSERT @t VALUES (1)         =>
            DECLARE c CURSOR FOR SELECT 1                         => LEAVES_CURSOR, USES_CURSOR
            DECLARE c CURSOR GLOBAL FOR SELECT 1                  => LEAVES_CURSOR, USES_CURSOR
            DECLARE c CURSOR LOCAL FAST_FORWARD FOR SELECT 1      => USES_CURSOR
            DECLARE c CURSOR FOR SELECT 1 OPEN c CLOSE c DEALLOCATE c => USES_CURSOR
            DECLARE c CURSOR FOR SELECT 1 IF @x = 1 DEALLOCATE c  => LEAVES_CURSOR, USES_CURSOR
            DECLARE c CURSOR FOR SELECT 1 DEALLOCATE d            => LEAVES_CURSOR, USES_CURSOR
            DECLARE c CURSOR FOR SELECT 1 SET NOEXEC ON DEALLOCATE c SET NOEXEC OFF => LEAVES_CURSOR, USES_CURSOR
            DECLARE c CURSOR GLOBAL FOR SELECT 1 DECLARE c CURSOR LOCAL FOR SELECT 2 DEALLOCATE c => LEAVES_CURSOR, USES_CURSOR
            DECLARE c CURSOR LOCAL FOR SELECT 1 DECLARE c CURSOR GLOBAL FOR SELECT 2 DEALLOCATE GLOBAL c => USES_CURSOR
            DECLARE c CURSOR LOCAL FOR SELECT 1 DECLARE d CURSOR GLOBAL FOR SELECT 2 DEALLOCATE d => USES_CURSOR
            DECLARE @c CURSOR SET @c = CURSOR FOR SELECT 1 OPEN @c =>
            FETCH NEXT FROM c INTO @a                             => USES_CURSOR
            SELECT a FROM t ORDER BY a OFFSET 5 ROWS FETCH NEXT 5 ROWS ONLY =>
            OPEN SYMMETRIC KEY k DECRYPTION BY PASSWORD = 'x'     => OPENS_KEY
            OPEN MASTER KEY DECRYPTION BY PASSWORD = 'x'          => OPENS_KEY
            CREATE VIEW v AS SELECT * FROM #t                     => DEFINES_MODULE
            CREATE OR ALTER PROCEDURE p AS SET NOCOUNT ON BEGIN TRAN EXEC q => DEFINES_MODULE
            ALTER FUNCTION f() RETURNS int AS BEGIN RETURN @@IDENTITY END => DEFINES_MODULE
            CREATE PARTITION FUNCTION f (int) AS RANGE LEFT FOR VALUES (1) SET NOCOUNT ON => SETS_OPTION
            SELECT 1 CREATE PROC p AS SELECT 1                    => DEFINES_MODULE, NOT_UNDERSTOOD
            CREATE PROC p AS SELECT date_first, quoted_identifier FROM sys.dm_exec_sessions => DEFINES_MODULE
            CREATE PROC p AS UPDATE t SET quoted_identifier = 1, parseonly = 2 => DEFINES_MODULE
            CREATE PROC p AS SET ANSI_NULLS, QUOTED_IDENTIFIER OFF => DEFINES_MODULE, NOT_UNDERSTOOD
            CREATE PROC p AS SET QUOTED_IDENTIFIER, ANSI_NULLS OFF => DEFINES_MODULE, NOT_UNDERSTOOD
            CREATE PROC p AS SET QUOTED_IDENTIFIER OFF            => DEFINES_MODULE, NOT_UNDERSTOOD
            INSERT BULK t (a int)                                 => INSERT_BULK
            WRITETEXT BULK t.a 0x1 TIMESTAMP = 0x2 WITH LOG       => INSERT_BULK
            UPDATETEXT BULK t.a 0x1 0 NULL                        => INSERT_BULK
            WRITETEXT t.a @p 'x'                                  =>
            BULK INSERT t FROM 'f'                                =>
            DBCC TRACEON (1222)                                   => SETS_TRACE_FLAG
            DBCC CHECKIDENT ('t', RESEED, 1) DBCC SHRINKDATABASE (d) =>
            DBCC SHOWCONTIG (t) WITH FAST DBCC FREEPROCCACHE DBCC IND ('d', 't', -1) =>
            DBCC USEROPTIONS                                      =>
            DBCC OPTIMIZER_WHATIF (1, 2)                          => NOT_UNDERSTOOD
            GRANT SELECT, EXECUTE, UPDATE ON SCHEMA::dbo TO u     =>
            REVOKE GRANT OPTION FOR EXECUTE ON p FROM u           =>
            GRANT SELECT ON t TO u EXEC p                         => CALLS_PROCEDURE
            KILL 53 RECONFIGURE CHECKPOINT                        =>
            BACKUP DATABASE d TO DISK = 'x' WITH INIT             =>
            WAITFOR (RECEIVE * FROM q), TIMEOUT 500               =>
            WAITFOR DELAY '00:00:01'                              =>
            DISABLE TRIGGER tr ON t                               =>
            ADD SIGNATURE TO p BY CERTIFICATE c                   =>
            """;

    private static final String PROCEDURES = """
            EXEC p                                                => CALLS_PROCEDURE
            EXECUTE dbo.p @a = 1, @b = @c OUTPUT                  => CALLS_PROCEDURE
            EXEC @rc = srv.db.dbo.p                               => CALLS_PROCEDURE
            EXEC db..p;1                                          => CALLS_PROCEDURE
            sp_who                                                => CALLS_PROCEDURE
            dbo.p 1, 'x'                                          => CALLS_PROCEDURE
            [dbo].[p]                                             => CALLS_PROCEDURE
            {call p (1)}                                          => CALLS_PROCEDURE
            SELECT {fn NOW()}, {ts '2020-01-01 00:00:00'}         =>
            SELECT 1; p                                           => CALLS_PROCEDURE, NOT_UNDERSTOOD
            INSERT t EXEC p                                       => CALLS_PROCEDURE
            EXEC ('SELECT 1')                                     => DYNAMIC_SQL
            EXEC (@sql) AT linked                                 => DYNAMIC_SQL
            EXEC @name                                            => DYNAMIC_SQL
            EXEC @rc = @name 1                                    => DYNAMIC_SQL
            EXEC sp_executesql N'SELECT 1'                        => CALLS_PROCEDURE, DYNAMIC_SQL
            EXEC ..p                                              => CALLS_PROCEDURE
            EXEC @rc = ..p 1                                      => CALLS_PROCEDURE
            ..p                                                   => CALLS_PROCEDURE
            EXEC p; SELECT 1                                      => CALLS_PROCEDURE
            IF @x = 1 EXEC p; ELSE SET @x = 2                     => CALLS_PROCEDURE
            BEGIN EXEC p; END                                     => CALLS_PROCEDURE
            EXEC p;1 SET NOCOUNT ON                               => CALLS_PROCEDURE, SETS_OPTION
            EXEC @p;1                                             => DYNAMIC_SQL
            {? = call p}                                          => CALLS_PROCEDURE
            {? = call p (?, ?)}                                   => CALLS_PROCEDURE
            {? = x}                                               => NOT_UNDERSTOOD
            EXEC 'p'                                              => NOT_UNDERSTOOD
            EXECUTE AS LOGIN = 'x'                                => IMPERSONATES
            EXECUTE AS USER = 'x' WITH NO REVERT                  => IMPERSONATES
            EXECUTE AS USER = 'x' SELECT 1 REVERT                 => IMPERSONATES, REVERTS_IMPERSONATION
            SETUSER 'x'                                           => IMPERSONATES
            EXEC sp_getapplock 'r', 'Exclusive', 'Session'        => CALLS_PROCEDURE, LOCKS_APPLICATION
            EXEC sp_getapplock 'r', 'Exclusive', @owner           => CALLS_PROCEDURE, LOCKS_APPLICATION
            EXEC sp_getapplock 'r', 'Exclusive', 'Transaction'    => CALLS_PROCEDURE
            EXEC sp_getapplock @Resource = 'r', @LockMode = 'Shared', @LockTimeout = 0 => CALLS_PROCEDURE
            EXEC sp_getapplock @LockOwner = 'Session', @Resource = 'r' => CALLS_PROCEDURE, LOCKS_APPLICATION
            EXEC @r = sys.sp_getapplock @Resource = 'r', @LockOwner = N'Transaction' SELECT @r => CALLS_PROCEDURE
            EXEC sp_getapplock;1 'r', 'Exclusive', 'Session'      => CALLS_PROCEDURE, LOCKS_APPLICATION
            EXEC sp_getapplock;1 'r', 'Exclusive', 'Transaction'  => CALLS_PROCEDURE
            sp_getapplock;1 'r', 'Exclusive', 'Session'           => CALLS_PROCEDURE, LOCKS_APPLICATION
            DECLARE @p sysname = 'sp_getapplock' EXEC @p 'r', 'Exclusive', 'Session' => DYNAMIC_SQL, LOCKS_APPLICATION
            DECLARE @p sysname SET @p = N'sys.[sp_set_session_context]' EXEC @r = @p 'k', 1 => DYNAMIC_SQL, SETS_SESSION_CONTEXT
            SELECT 'sp_getapplock' EXEC p                         => CALLS_PROCEDURE
            EXEC sp_reset_connection                              => CALLS_PROCEDURE, RESETS_SESSION
            EXEC sp_releaseapplock 'r'                            => CALLS_PROCEDURE, UNLOCKS_APPLICATION
            EXEC sys.[sp_set_session_context] 'k', 1              => CALLS_PROCEDURE, SETS_SESSION_CONTEXT
            EXEC sp_setapprole 'r', 'p'                           => CALLS_PROCEDURE, SETS_APPLICATION_ROLE
            EXEC sp_prepare @h OUT, N'', N'SELECT 1'              => CALLS_PROCEDURE, PREPARES_BY_TEXT
            EXEC sp_cursoropen @c OUT, N'SELECT 1'                => CALLS_PROCEDURE, CURSOR_BY_TEXT
            EXEC sp_bindsession 'x'                               => CALLS_PROCEDURE, BINDS_SESSION
            EXEC sp_xml_preparedocument @h OUT, @x                => CALLS_PROCEDURE, PREPARES_XML
            EXEC sp_replcmds                                      => CALLS_PROCEDURE, OTHER_SESSION_PROCEDURE
            EXEC xp_cmdshell 'dir'                                => CALLS_PROCEDURE
            """;

    private static final String CONSTANT_TEXTS = """
            EXEC ('BEGIN TRAN')                                   => DYNAMIC_SQL, BEGINS_TRANSACTION
            EXEC ("BEGIN TRAN")                                   => DYNAMIC_SQL
            EXEC (N'BEGIN ' + 'TRAN')                             => DYNAMIC_SQL, BEGINS_TRANSACTION
            EXEC ('CREATE TABLE #t (a int)')                      => DYNAMIC_SQL, CREATES_TEMPORARY_INSIDE, USES_TEMPORARY
            EXEC ('CREATE TABLE ##t (a int)')                     => DYNAMIC_SQL, CREATES_TEMPORARY, USES_TEMPORARY
            EXEC ('SET NOCOUNT ON; USE d')                        => DYNAMIC_SQL, SETS_OPTION_INSIDE
            EXEC ('SET ANSI_DEFAULTS ON')                         => DYNAMIC_SQL, SETS_OPTION_INSIDE, SETS_IMPLICIT_INSIDE
            EXEC ('SET IMPLICIT_TRANSACTIONS ON')                 => DYNAMIC_SQL, SETS_OPTION_INSIDE, SETS_IMPLICIT_INSIDE
            EXEC ('SET CONTEXT_INFO 0x1')                         => DYNAMIC_SQL, SETS_OPTION_INSIDE, SETS_CONTEXT_INFO
            EXEC ('SELECT ''BEGIN TRAN''')                        => DYNAMIC_SQL
            EXEC ('SELECT 1' + @x)                                => DYNAMIC_SQL
            EXEC ('SELECT ' + @x + ' BEGIN TRAN')                 => DYNAMIC_SQL
            EXEC ('SELECT (')                                     => DYNAMIC_SQL, NOT_UNDERSTOOD
            EXEC ('EXEC p') EXEC q                                => CALLS_PROCEDURE, DYNAMIC_SQL
            EXEC ('EXEC (''EXEC sp_set_session_context 1, 2'')')  => CALLS_PROCEDURE, DYNAMIC_SQL, SETS_SESSION_CONTEXT
            EXEC ('SELECT @@IDENTITY')                            => DYNAMIC_SQL, READS_IDENTITY, READS_PREVIOUS_IDENTITY
            INSERT t VALUES (1) EXEC ('SELECT @@IDENTITY')        => DYNAMIC_SQL, READS_IDENTITY
            EXEC sp_executesql N'BEGIN TRAN'                      => CALLS_PROCEDURE, DYNAMIC_SQL, BEGINS_TRANSACTION
            EXEC sys.sp_executesql;1 N'BEGIN TRAN'                => CALLS_PROCEDURE, DYNAMIC_SQL, BEGINS_TRANSACTION
            EXEC sp_executesql @stmt = N'COMMIT', @params = N'@a int', @a = 1 => CALLS_PROCEDURE, DYNAMIC_SQL, ENDS_TRANSACTION
            EXEC sp_executesql @params = N'@a int', @stmt = N'COMMIT' => CALLS_PROCEDURE, DYNAMIC_SQL, ENDS_TRANSACTION
            EXEC sp_executesql N'SELECT @a', N'@a varchar(9)', 'BEGIN TRAN' => CALLS_PROCEDURE, DYNAMIC_SQL
            EXEC sp_executesql @sql, N'BEGIN TRAN'                => CALLS_PROCEDURE, DYNAMIC_SQL
            EXEC sp_executesql; SELECT 'BEGIN TRAN'               => CALLS_PROCEDURE, DYNAMIC_SQL
            sp_executesql N'DECLARE c CURSOR FOR SELECT 1'        => CALLS_PROCEDURE, DYNAMIC_SQL, LEAVES_CURSOR, USES_CURSOR
            CREATE TABLE #t (a int) DROP TABLE #t EXEC ('ROLLBACK') => DYNAMIC_SQL, ENDS_TRANSACTION, CREATES_TEMPORARY, USES_TEMPORARY
            """;

    private static final String READS = """
            SELECT @@IDENTITY                                     => READS_IDENTITY, READS_PREVIOUS_IDENTITY
            SELECT SCOPE_IDENTITY()                               => READS_IDENTITY, READS_PREVIOUS_IDENTITY
            INSERT t VALUES (1) SELECT SCOPE_IDENTITY()           => READS_IDENTITY
            INSERT t VALUES (SCOPE_IDENTITY())                    => READS_IDENTITY, READS_PREVIOUS_IDENTITY
            INSERT t SELECT @@IDENTITY                            => READS_IDENTITY, READS_PREVIOUS_IDENTITY
            INSERT t SELECT a FROM u SELECT SCOPE_IDENTITY()      => READS_IDENTITY
            UPDATE t SET a = 1; SELECT @@IDENTITY                 => READS_IDENTITY, READS_PREVIOUS_IDENTITY
            SELECT IDENT_CURRENT('t')                             =>
            SELECT @@ROWCOUNT                                     => READS_RESULT, READS_PREVIOUS_RESULT
            SELECT 1 UNION ALL SELECT @@ERROR                     => READS_RESULT, READS_PREVIOUS_RESULT
            DECLARE @n int = @@ROWCOUNT                           => READS_RESULT, READS_PREVIOUS_RESULT
            IF ROWCOUNT_BIG() = 0 SELECT 1                        => READS_RESULT, READS_PREVIOUS_RESULT
            UPDATE t SET a = 1 IF @@ROWCOUNT = 0 INSERT t VALUES (1) => READS_RESULT
            SELECT @@SPID                                         => READS_SPID
            SELECT @@TRANCOUNT, XACT_STATE()                      => READS_TRANSACTION_STATE
            SELECT CONTEXT_INFO(), SESSION_CONTEXT(N'k')          => READS_SESSION_CONTEXT
            SELECT @@OPTIONS, @@LANGID, SESSIONPROPERTY('x')      => READS_OPTIONS
            WHILE @@FETCH_STATUS = 0 BREAK                        => USES_CURSOR
            SELECT @@VERSION, @@PROCID, @@NESTLEVEL               =>
            SELECT '@@IDENTITY', [@@IDENTITY]                     =>
            """;

    private static final String HARMLESS = """
            SELECT a.b, c AS [set], d "use" FROM t WHERE x IN (SELECT y FROM z) ORDER BY 1 =>
            SELECT CASE WHEN a = 1 THEN 'b' ELSE CASE a WHEN 2 THEN 'c' END END FROM t =>
            WITH c AS (SELECT 1 AS x) SELECT * FROM c             =>
            ;WITH c AS (SELECT 1 AS x) DELETE FROM c              =>
            (SELECT 1) UNION (SELECT 2)                           =>
            DECLARE @p geometry = geometry::STGeomFromText('POINT (1 1)', 0) SELECT @p =>
            DELETE FROM t OUTPUT deleted.* WHERE a = 1e5 AND b = 0x1F AND c = $1.5 AND d = .5 =>
            MERGE INTO t USING s ON 1 = 0 WHEN NOT MATCHED THEN INSERT (a) VALUES (1) OUTPUT $action; =>
            TRUNCATE TABLE t PRINT 'x' RAISERROR ('x', 16, 1) WITH NOWAIT =>
            CREATE TABLE t (a int IDENTITY, b AS a + 1, CONSTRAINT c CHECK (a > 0)) DROP TABLE t =>
            SELECT $1, -$1.5, $-1, £1, €5.25, ¥ 1, ￦7, $         =>
            SELECT £1 SELECT €2                                   =>
            ALTER DATABASE d MODIFY FILE (NAME = f, SIZE = 5GB, FILEGROWTH = 10MB) =>
            CREATE DATABASE d ON (NAME = f, FILENAME = 'x', MAXSIZE = 1TB, FILEGROWTH = 10%) =>
            ALTER DATABASE d SET SINGLE_USER WITH ROLLBACK AFTER 5SECONDS =>
            SELECT 1a, 2.5b FROM t WHERE c = 1AND d = 2           =>
            ALTER DATABASE d COLLATE Latin1_General_CI_AS         =>
            ALTER TABLE t ADD a datetime2 GENERATED ALWAYS AS ROW START NOT NULL, b datetime2 GENERATED ALWAYS AS ROW END NOT NULL =>
            BEGIN ALTER TABLE t ADD a datetime2 GENERATED ALWAYS AS ROW START END =>
            ALTER TABLE t ADD a bigint GENERATED ALWAYS AS TRANSACTION_ID END =>
            select nonascii_ção, 列, İstanbul, ſet from テーブル  =>
                                                                  =>
            ;;;                                                   =>
            -- only a comment                                     =>
            """;

    private static final String NOT_UNDERSTOOD = """
            SHOW TABLES                                           => CALLS_PROCEDURE
            SELECT 1; SHOW TABLES                                 => CALLS_PROCEDURE, NOT_UNDERSTOOD
            SELECT 'abc                                           => NOT_UNDERSTOOD
            SELECT [abc                                           => NOT_UNDERSTOOD
            SELECT "abc                                           => NOT_UNDERSTOOD
            SELECT 1 /* /* */                                     => NOT_UNDERSTOOD
            SELECT (1                                             => NOT_UNDERSTOOD
            SELECT 1)                                             => NOT_UNDERSTOOD
            BEGIN SELECT 1                                        => NOT_UNDERSTOOD
            SELECT 1 END                                          => NOT_UNDERSTOOD
            IF 1 = 1                                              => NOT_UNDERSTOOD
            SET NOCOUNT                                           => NOT_UNDERSTOOD
            BEGIN                                                 => NOT_UNDERSTOOD
            SAVE                                                  => NOT_UNDERSTOOD
            SELECT 1SET NOCOUNT ON                                => SETS_OPTION, NOT_UNDERSTOOD
            SELECT $SET NOCOUNT ON                                => NOT_UNDERSTOOD
            SELECT £SET NOCOUNT ON                                => NOT_UNDERSTOOD
            SELECT CASE WHEN 1 = 1 THEN 1else 2 END               => NOT_UNDERSTOOD
            SELECT 0x1FROM t                                      => NOT_UNDERSTOOD
            SELECT €5BEGIN TRAN                                   => BEGINS_TRANSACTION, NOT_UNDERSTOOD
            BEGIN\u00A0TRAN                                       => BEGINS_TRANSACTION, NOT_UNDERSTOOD
            BEGIN\u3000TRAN                                       => BEGINS_TRANSACTION, NOT_UNDERSTOOD
            SELECT * FROM ＃t                                     => NOT_UNDERSTOOD
            SELECT 1 \\                                           => NOT_UNDERSTOOD
            'abc'                                                 => NOT_UNDERSTOOD
            {x y}                                                 => NOT_UNDERSTOOD
            """;

    static Stream<String> rows() {
        return Stream.of(TRANSACTIONS, OPTIONS, OBJECTS, PROCEDURES, CONSTANT_TEXTS, READS, HARMLESS, NOT_UNDERSTOOD)
                .flatMap(String::lines);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void textMeans(String row) {
        int arrow = row.lastIndexOf("=>");
        String text = row.substring(0, arrow).stripTrailing();
        SqlFindings found = SqlTexts.scan(text);
        assertThat(SqlTexts.findings(found))
                .as("%s %s", text, found.doubt())
                .isEqualTo(expected(row.substring(arrow + 2)));
    }

    private static Set<Finding> expected(String names) {
        Set<Finding> set = EnumSet.noneOf(Finding.class);
        Arrays.stream(names.split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .map(Finding::valueOf)
                .forEach(set::add);
        return set;
    }
}
