package dev.comporta.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.console.sql.Command;
import dev.comporta.console.sql.Placeholders;
import dev.comporta.console.system.Arguments;
import dev.comporta.console.table.ColumnType;
import dev.comporta.console.value.TypedValue;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConsoleTest {
    private final Host host = new Host();

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", quoteCharacter = '`', textBlock = """
            PAUSE                                    => pause null
            pause bucket-1                           => pause bucket-1
            PAUSE [my bucket];                       => pause my bucket
            RESUME 'bucket-1'                        => resume bucket-1
            RESUME                                   => resume null
            RECONNECT rds-cliente-001                => reconnect rds-cliente-001
            KILL 17                                  => kill 17
            KILL 10.0.0.1:51234                      => kill 10.0.0.1:51234
            RELOAD                                   => reload
            SET queue_timeout = 10s                  => set queue_timeout to 10s
            SET bucket-1.max_connections=50          => set bucket-1.max_connections to 50
            SET log_level = 'debug mode'             => set log_level to debug mode
            CREATE SERVER s-1 OPTIONS (host 'db', port '1433') => create s-1 by null {host=db, port=1433}
            CREATE SERVER legacy_pg FOREIGN DATA WRAPPER postgresql_fdw OPTIONS (host 'it''s') => create legacy_pg by postgresql_fdw {host=it's}
            ALTER SERVER s OPTIONS (SET port '1', ADD min_idle '2', DROP host, user 'x') => alter s [SET port=1, ADD min_idle=2, DROP host=, ADD user=x]
            DROP SERVER s-1                          => drop s-1
            DROP SERVER IF EXISTS s-1                => drop s-1 if it exists
            CREATE USER MAPPING FOR ana SERVER s-1 OPTIONS (user 'u', password 'p') => map NAMED ana at s-1 {user=u, password=p}
            CREATE USER MAPPING FOR PUBLIC SERVER s  => map PUBLIC PUBLIC at s {}
            CREATE USER MAPPING FOR "PUBLIC" SERVER s => map NAMED PUBLIC at s {}
            CREATE USER MAPPING FOR current_user SERVER s OPTIONS (user 'u') => map CURRENT CURRENT_USER at s {user=u}
            ALTER USER MAPPING FOR ana SERVER s OPTIONS (SET password 'p', DROP user) => map ana at s otherwise: 2
            DROP USER MAPPING FOR ana SERVER s       => forget ana at s
            DROP USER MAPPING IF EXISTS FOR ana SERVER s => forget ana at s if it exists
            """)
    void commandsReachTheOperator(String text, String done) {
        assertThat(host.ask(text)).isEqualTo(done);
        assertThat(host.commands()).containsExactly(done);
    }

    @Test
    void commandsOfSeveralLinesRunInOrder() {
        host.execute("PAUSE\nRESUME\nPAUSE a; RESUME a -- done\nKILL 5");
        assertThat(host.commands()).containsExactly("pause null", "resume null", "pause a", "resume a", "kill 5");
    }

    @Test
    void optionsOfAServerMayStandOnLinesOfTheirOwn() {
        host.execute("""
                CREATE SERVER legacy
                    FOREIGN DATA WRAPPER tds
                    OPTIONS (
                        host 'db.example.com',
                        -- the pool
                        max_connections '20'
                    );
                """);
        assertThat(host.commands()).containsExactly("create legacy by tds {host=db.example.com, max_connections=20}");
    }

    @ParameterizedTest
    @EnumSource
    void loginThatMayOnlyReadGivesNoCommands(Command.Kind kind) {
        String command = switch (kind) {
            case PAUSE, RESUME, RELOAD, DRAIN -> kind.text();
            case RECONNECT -> "RECONNECT b";
            case KILL -> "KILL 1";
            case SET -> "SET a = 1";
            case CREATE_SERVER, ALTER_SERVER -> kind.text() + " s OPTIONS (host 'a')";
            case DROP_SERVER -> "DROP SERVER s";
            case CREATE_USER_MAPPING, ALTER_USER_MAPPING -> kind.text() + " FOR ana SERVER s OPTIONS (user 'u')";
            case DROP_USER_MAPPING -> "DROP USER MAPPING FOR ana SERVER s";
        };
        host.readOnly();
        assertThat(host.ask("SELECT 1")).isEqualTo("1");
        assertThat(host.ask(command))
                .isEqualTo(
                        "262 at 1:1: Login 'ops' may read but not give commands. Use a login that is configured as an"
                                + " administrator.");
        assertThat(host.commands()).isEmpty();
    }

    @Test
    void refusalOfTheOperatorIsTheAnswer() {
        assertThat(host.ask("PAUSE nowhere")).isEqualTo("50000 at 1:1: No bucket is called 'nowhere'.");
    }

    @Test
    void brokenHostIsAnOutcomeToo() {
        assertThat(host.ask("DRAIN"))
                .startsWith("50000 at 1:1: Internal error in the console: ")
                .contains("broken host");
    }

    @Test
    void showIsSelectStar() {
        assertThat(host.ask("SHOW CLIENTS")).isEqualTo(host.ask("SELECT * FROM sys.clients"));
        assertThat(host.ask("show pools;")).isEqualTo(host.ask("SELECT * FROM sys.remote_pool_stats"));
        assertThat(host.ask("SHOW CLIENT"))
                .isEqualTo("208 at 1:1: There is nothing to show as 'CLIENT'. Did you mean SHOW CLIENTS?");
    }

    @Test
    void helpNamesEveryViewAndEveryCommand() {
        List<String> first = ((Outcome.Rows) host.execute("SHOW HELP").getFirst())
                .rows().stream().map(row -> String.valueOf(row.get(0))).toList();
        assertThat(host.ask("SHOW HELP"))
                .contains("SHOW POOLS|One row for each bucket. (sys.remote_pool_stats)")
                .contains("SHOW CLIENTS|One row for each client. (sys.clients)");
        assertThat(first).anyMatch(line -> line.startsWith("SELECT")).contains("PAUSE [bucket]");
        for (Command.Kind kind : Command.Kind.values()) {
            assertThat(first).as(kind.text()).anyMatch(line -> (line + " ").startsWith(kind.text() + " "));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET NOCOUNT ON",
                "SET QUOTED_IDENTIFIER OFF",
                "SET ANSI_NULLS, ANSI_PADDING ON",
                "SET TEXTSIZE 2147483647",
                "SET LOCK_TIMEOUT -1",
                "SET ROWCOUNT 0",
                "SET LANGUAGE N'us_english'",
                "SET DATEFORMAT mdy",
                "SET TRANSACTION ISOLATION LEVEL READ COMMITTED",
                "set transaction isolation level serializable ",
                "set implicit_transactions on ",
                "SET STATISTICS IO ON",
                "USE comporta",
                "use [COMPORTA]",
                "BEGIN TRAN",
                "BEGIN TRANSACTION t1",
                "COMMIT",
                "COMMIT TRAN WITH ( DELAYED_DURABILITY = ON )",
                "ROLLBACK TRANSACTION",
                "SAVE TRAN s1",
                "IF @@TRANCOUNT > 0 COMMIT TRAN",
                "IF @@TRANCOUNT > 0 ROLLBACK TRAN",
                "IF @@TRANCOUNT > 0 PAUSE",
            })
    void whatDriversSendUnaskedIsAcceptedInSilence(String text) {
        assertThat(host.execute(text)).containsExactly(new Outcome.Done(""));
        assertThat(host.commands()).isEmpty();
    }

    @Test
    void statementsNeedNoSeparatorBetweenThem() {
        List<Outcome> outcomes = host.execute("SELECT 1 SHOW CLIENTS");
        // On one line SHOW would be an alias.
        assertThat(outcomes).singleElement().isInstanceOf(Outcome.Failed.class);
        assertThat(host.execute("SET NOCOUNT ON SET ANSI_NULLS ON SELECT 1 SELECT 2 x\nSHOW CLIENTS\n\nSELECT 3"))
                .hasSize(6)
                .noneMatch(Outcome.Failed.class::isInstance);
        assertThat(host.execute("IF @@TRANCOUNT = 0 BEGIN BEGIN TRAN IF @@TRANCOUNT = 2 COMMIT TRAN END SAVE TRAN x"))
                .hasSize(3)
                .noneMatch(Outcome.Failed.class::isInstance);
    }

    @Test
    void whatDriversSendWhenTheyConnectRuns() {
        assertThat(host.execute("SELECT @@MAX_PRECISION\r\nSET TRANSACTION ISOLATION LEVEL READ COMMITTED\r\n"
                        + "SET IMPLICIT_TRANSACTIONS OFF\r\nSET QUOTED_IDENTIFIER ON\r\nSET TEXTSIZE 2147483647"))
                .hasSize(5)
                .noneMatch(outcome -> outcome instanceof Outcome.Failed);
        assertThat(host.ask("exec ..sp_databases")).isEqualTo("comporta|0|NULL");
    }

    @Test
    void ifChooses() {
        assertThat(host.ask("IF 1 = 1 SELECT 'a' ELSE SELECT 'b'")).isEqualTo("a");
        assertThat(host.ask("IF 1 = NULL SELECT 'a'; ELSE SELECT 'b'")).isEqualTo("b");
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", quoteCharacter = '`', textBlock = """
            INSERT INTO clients VALUES (1)     => 3906 at 1:1: INSERT is not possible
            UPDATE clients SET login = 'x'     => 3906 at 1:1: UPDATE is not possible
            DELETE FROM clients                => 3906 at 1:1: DELETE is not possible
            CREATE TABLE t (a INT)             => 3906 at 1:1: CREATE is not possible
            DROP TABLE t                       => 3906 at 1:1: DROP is not possible
            TRUNCATE TABLE t                   => 3906 at 1:1: TRUNCATE is not possible
            SELECT 1 INTO t                    => 3906 at 1:10: SELECT INTO is not possible
            WITH x AS (SELECT 1) SELECT 1      => 102 at 1:1: Incorrect syntax near 'WITH': expected a statement. SHOW HELP lists all statements.
            PAUS                               => 102 at 1:1: Incorrect syntax near 'PAUS': expected a statement. Did you mean PAUSE?
            SELEC 1                            => 102 at 1:1: Incorrect syntax near 'SELEC': expected a statement. Did you mean SELECT?
            RECONNECT                          => 102 at 1:10: Incorrect syntax near the end of the text: expected the name of a bucket.
            KILL;                              => 102 at 1:5: Incorrect syntax near ';': expected the number of a client
            SET nonsense ON                    => 102 at 1:14: Incorrect syntax near 'ON': expected '=' behind SET nonsense
            SET a =                            => 102 at 1:8: Incorrect syntax near the end of the text: expected a value.
            SHOW                               => 102 at 1:5: Incorrect syntax near the end of the text: expected what to show
            USE master                         => 911 at 1:1: Database 'master' does not exist here.
            CREATE SERVER s OPTIONS (host 'a', host 'b') => 102 at 1:36: The option host is given twice.
            CREATE SERVER s OPTIONS (host db)  => 102 at 1:31: Incorrect syntax in OPTIONS: expected a value in quotes for host.
            ALTER SERVER s OPTIONS (CHANGE a 'b') => 102 at 1:25: Incorrect syntax in OPTIONS: expected SET, ADD or DROP before the name of an option.
            EXEC sp_table                      => 2812 at 1:1: Could not find stored procedure 'sp_table'. Did you mean sp_tables?
            SELECT 1 FROM @t                   => 1087 at 1:15: No table variable @t is declared.
            """)
    void whatIsNotPossibleIsSaid(String text, String beginning) {
        assertThat(host.ask(text)).startsWith(beginning);
        assertThat(host.commands()).isEmpty();
    }

    @Test
    void textWithASyntaxErrorDoesNotRunAtAll() {
        assertThat(host.execute("PAUSE a;\nSELECT FROM x")).hasSize(1);
        assertThat(host.ask("PAUSE a;\nSELECT FROM x"))
                .isEqualTo("102 at 2:8: Incorrect syntax near 'FROM': expected an expression.");
        assertThat(host.commands()).isEmpty();
    }

    @Test
    void textStopsAtTheFirstStatementThatFails() {
        assertThat(host.execute("SELECT 1; SELECT 1 / 0; PAUSE a")).hasSize(2);
        assertThat(host.commands()).isEmpty();
    }

    @Test
    void parametersStandForTheirValues() {
        Parameters parameters = new Parameters(Map.of(
                "P0", TypedValue.of("beta"),
                "@p1", TypedValue.of(3L),
                "@none", new TypedValue(ColumnType.NVARCHAR, null)));
        Outcome outcome = host.console()
                .execute(
                        "SELECT server_name, @none, @P1 + 1 FROM remote_pool_stats WHERE server_name = @p0 AND active < @P1",
                        parameters,
                        host)
                .getFirst();
        assertThat(Host.shown(outcome)).isEqualTo("beta|NULL|4");
    }

    @Test
    void parametersStandForOptionsToo() {
        Parameters parameters =
                new Parameters(Map.of("@p1", TypedValue.of("it's"), "@n", new TypedValue(ColumnType.NVARCHAR, null)));
        String text = "CREATE USER MAPPING FOR ana SERVER s OPTIONS (user 'u', password %s)";
        assertThat(Host.shown(host.console()
                        .execute(text.formatted("@P1"), parameters, host)
                        .getLast()))
                .isEqualTo("map NAMED ana at s {user=u, password=it's}");
        assertThat(Host.shown(host.console()
                        .execute(text.formatted("@n"), parameters, host)
                        .getLast()))
                .isEqualTo("137 at 1:66: The value of password is a parameter that has no value: give it one.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "password s3cret",
                "password \"s3cret\"",
                "password 'it's3cret'x'",
                "password 'x' s3cret",
                "'s3cret'",
                "password = 's3cret'",
                "SET password s3cret"
            })
    void noErrorQuotesWhatStandsInOptions(String options) {
        for (String command : List.of("CREATE SERVER s", "ALTER SERVER s", "ALTER USER MAPPING FOR ana SERVER s")) {
            assertThat(host.ask(command + " OPTIONS (" + options + ")"))
                    .startsWith("102 at ")
                    .doesNotContain("s3cret");
        }
        assertThat(host.commands()).isEmpty();
    }

    @Test
    void commandThatTheHostLacksIsRefusedAndNotListed() {
        host.without(Command.Kind.KILL);
        assertThat(host.ask("KILL 17"))
                .isEqualTo("50000 at 1:1: KILL is not a command of this console. SHOW HELP lists all.");
        assertThat(host.ask("SHOW HELP")).doesNotContain("KILL").contains("RELOAD");
        assertThat(host.commands()).isEmpty();
    }

    @Test
    void questionMarksBecomeParametersUnlessTheyAreQuoted() {
        Placeholders found = Placeholders.of("SELECT ?, '?', [?] -- ?\nFROM x /* ? */ WHERE a = ? AND \"?\" LIKE '??'");
        assertThat(found.text())
                .isEqualTo("SELECT @p1, '?', [?] -- ?\nFROM x /* ? */ WHERE a = @p2 AND \"?\" LIKE '??'");
        assertThat(found.count()).isEqualTo(2);
    }

    @Test
    void variablesLastForOneText() {
        assertThat(host.ask("DECLARE @n INT = 2, @s NVARCHAR(10); SET @s = 'x'; SELECT @n * 2, @s"))
                .isEqualTo("4|x");
        assertThat(host.ask("SELECT @n")).startsWith("137 at 1:8");
        assertThat(host.ask("SET @n = 1")).startsWith("137 at 1:1");
        assertThat(host.ask("DECLARE @n INT = 'x'")).startsWith("245 at 1:18");
    }

    @Test
    void rowCountIsThatOfTheStatementBefore() {
        assertThat(host.ask("SELECT * FROM clients; SELECT @@ROWCOUNT")).isEqualTo("4");
    }

    @Test
    void executeSqlTakesValuesByPlaceAndByName() {
        Arguments placed = new Arguments()
                .add(null, TypedValue.of("SELECT @P0 + @P1"))
                .add(null, TypedValue.of("@P0 int,@P1 bigint"))
                .add(null, TypedValue.of(1))
                .add(null, TypedValue.of(2L));
        assertThat(Host.shown(host.console().call("sp_executesql", placed, host).getLast()))
                .isEqualTo("3");
        Arguments named = new Arguments()
                .add(null, TypedValue.of("SELECT @a"))
                .add(null, TypedValue.of("@a int"))
                .add("@A", TypedValue.of(7));
        assertThat(Host.shown(host.console().call("SP_EXECUTESQL", named, host).getLast()))
                .isEqualTo("7");
        assertThat(host.ask("EXEC sp_executesql N'SELECT UPPER(@x)', N'@x nvarchar(5)', @x = 'a'"))
                .isEqualTo("A");
    }

    @Test
    void executeSqlThatCallsItselfEnds() {
        String text = "SELECT 1";
        for (int i = 0; i < 9; i++) {
            text = "EXEC sp_executesql N'" + text.replace("'", "''") + "'";
        }
        assertThat(host.ask(text)).startsWith("217 at 1:1");
    }
}
