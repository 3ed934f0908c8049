package dev.comporta.e2e.sessions;

import dev.comporta.tds.request.SystemProcedure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** SET in every form. */
final class Settings {
    private static final List<String> SWITCHES = List.of(
            "ANSI_NULLS",
            "ANSI_PADDING",
            "ANSI_WARNINGS",
            "ARITHABORT",
            "ARITHIGNORE",
            "CONCAT_NULL_YIELDS_NULL",
            "CURSOR_CLOSE_ON_COMMIT",
            "FORCEPLAN",
            "NOCOUNT",
            "NUMERIC_ROUNDABORT",
            "QUOTED_IDENTIFIER",
            "REMOTE_PROC_TRANSACTIONS",
            "XACT_ABORT",
            "ANSI_NULL_DFLT_ON",
            "ANSI_NULL_DFLT_OFF");

    private static final List<String> LANGUAGES =
            List.of("us_english", "Deutsch", "British", "French", "Français", "Japanese", "Português (Brasil)");

    private static final List<String> LEVELS =
            List.of("READ UNCOMMITTED", "READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE", "SNAPSHOT");

    private Settings() {}

    static List<Act> acts() {
        return List.of(
                Act.batch(Settings::set),
                Act.batch(Settings::several),
                Act.batch(Settings::several),
                Act.batch(Settings::list),
                Act.batch(Settings::dateOrder),
                Act.batch(Settings::inner),
                Settings::remote,
                Act.batch(Settings::isolation),
                Act.batch(draw -> "EXEC AppDB.dbo.sets_options"));
    }

    /** Forms whose effect no text tells for certain: they pin. */
    static List<Act> uncertainActs() {
        return List.of(
                Act.batch(Settings::conditional),
                Act.batch(Settings::fromVariable),
                Act.batch(Settings::cutShort),
                Act.batch(Settings::unexecuted),
                Act.batch(draw -> draw.leavingTraces("SET ANSI_DEFAULTS " + onOff(draw))));
    }

    private static String onOff(Draw draw) {
        return draw.cased(draw.one("ON", "OFF"));
    }

    /** One SET statement. */
    static String set(Draw draw) {
        return switch (draw.below(9)) {
            case 0 -> "SET DATEFIRST " + (1 + draw.below(7));
            case 1 -> "SET DATEFORMAT " + draw.one("mdy", "dmy", "ymd", "ydm", "'dym'", "DMY");
            case 2 -> language(draw);
            case 3 -> "SET LOCK_TIMEOUT " + draw.one(-1, 0, 1000, 1800);
            case 4 -> "SET TEXTSIZE " + draw.one(0, 100, 4096, 2147483647, -1);
            case 5 ->
                draw.one(
                        "SET ROWCOUNT " + draw.below(4),
                        "SET DEADLOCK_PRIORITY " + draw.one("LOW", "NORMAL", "HIGH", "-3", "7"),
                        "SET QUERY_GOVERNOR_COST_LIMIT " + draw.below(3) * 100,
                        "SET ROWCOUNT 0");
            default -> draw.cased("SET " + draw.one(SWITCHES)) + " " + onOff(draw);
        };
    }

    private static String language(Draw draw) {
        // Babelfish: N'…' is a syntax error, and a name that is not ASCII can't be written otherwise.
        String language = draw.one(draw.isBabelfish() ? LANGUAGES.subList(0, 3) : LANGUAGES);
        boolean ascii = language.chars().allMatch(c -> c < 128);
        return "SET LANGUAGE "
                + (ascii && draw.chance(50)
                        ? Draw.quoted(language)
                        : draw.isBabelfish() ? language : "N" + Draw.quoted(language));
    }

    static String isolation(Draw draw) {
        // In a transaction that has read anything it is an error on Babelfish, and the proxy's question for it reads.
        String outside = draw.isBabelfish() ? "IF @@TRANCOUNT > 0 ROLLBACK; " : "";
        return draw.cased(outside + "SET TRANSACTION ISOLATION LEVEL " + draw.one(LEVELS));
    }

    private static String separator(Draw draw) {
        return draw.one("; ", ";\n", "\n", " ", " /* next */ ", " -- next\n");
    }

    private static String several(Draw draw) {
        StringBuilder text = new StringBuilder(set(draw));
        for (int i = draw.below(4); i >= 0; i--) {
            text.append(separator(draw)).append(draw.chance(20) ? isolation(draw) : set(draw));
        }
        return draw.chance(30) ? text + separator(draw) + Probes.state(draw) : text.toString();
    }

    private static String list(Draw draw) {
        List<String> options = new ArrayList<>(SWITCHES);
        Collections.shuffle(options, new java.util.Random(draw.below(1 << 20)));
        return "SET " + String.join(", ", options.subList(0, 2 + draw.below(3))) + " " + onOff(draw);
    }

    /** What one of these does to another depends on their order. */
    private static String dateOrder(Draw draw) {
        List<String> sets = new ArrayList<>(List.of(
                "SET DATEFIRST " + (1 + draw.below(7)),
                "SET DATEFORMAT " + draw.one("mdy", "dmy", "ymd"),
                language(draw)));
        Collections.shuffle(sets, new java.util.Random(draw.below(1 << 20)));
        return String.join(separator(draw), sets.subList(0, 2 + draw.below(2)));
    }

    /** Ends with the text that it is in. */
    private static String inner(Draw draw) {
        String set = draw.chance(20) ? isolation(draw) : set(draw);
        String text = Draw.quoted(set + "; " + Probes.state(draw));
        return draw.one("EXEC (" + text + ")", "EXECUTE (N" + text + ")", "EXEC sp_executesql N" + text);
    }

    private static List<Step> remote(Draw draw) {
        String text = (draw.chance(20) ? isolation(draw) : set(draw)) + separator(draw) + Probes.state(draw);
        Call call = Call.of(SystemProcedure.EXECUTE_SQL, Arg.text(text));
        return List.of(Step.calls(draw.chance(30) ? call.byName() : call));
    }

    private static String conditional(Draw draw) {
        String set = draw.chance(25) ? isolation(draw) : set(draw);
        return draw.one(
                "IF 1 = 1 " + set,
                "IF 1 = 0 " + set + " ELSE " + set(draw),
                "BEGIN TRY " + set + "; SELECT 1 / 0 END TRY BEGIN CATCH " + set(draw) + " END CATCH",
                "DECLARE @i int = 0; WHILE @i < 2 BEGIN " + set + "; SET @i = @i + 1 END",
                "IF @@TRANCOUNT > 0 RETURN; " + set);
    }

    private static String fromVariable(Draw draw) {
        int n = 1 + draw.below(5);
        return draw.one(
                "DECLARE @n int = " + n + "; SET ROWCOUNT @n",
                "DECLARE @n int; SET @n = " + n + "; SET DATEFIRST @n",
                "DECLARE @n int = " + n * 100 + "; SET LOCK_TIMEOUT @n",
                "DECLARE @s varchar(20) = 'dmy'; SET DATEFORMAT @s");
    }

    /** An error before or after it: whether it ran is the server's secret. */
    private static String cutShort(Draw draw) {
        return draw.one(
                set(draw) + "; SELECT 1 / 0; " + set(draw),
                set(draw) + "; SELECT CAST('x' AS int); " + set(draw),
                set(draw) + "; SELECT * FROM nowhere; " + set(draw),
                set(draw) + "; THROW 50001, 'stop', 1; " + set(draw),
                set(draw) + "; EXEC no_such_procedure; " + set(draw),
                set(draw) + "; RETURN; " + set(draw),
                "SET DATEFIRST 9; " + set(draw),
                "SET NO_SUCH_OPTION ON");
    }

    private static String unexecuted(Draw draw) {
        return draw.one(
                "SET NOEXEC ON; " + set(draw) + "; SET NOEXEC OFF",
                "SET NOEXEC ON; CREATE TABLE #t0 (a int); SET NOEXEC OFF");
    }
}
