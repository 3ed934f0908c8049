package dev.comporta.e2e.sessions;

import dev.comporta.tds.type.TypeInfo;
import java.util.List;

/**
 * A statement to be prepared.
 *
 * @param arguments those of the statement itself
 */
record PreparedText(String text, String declaration, List<Arg> arguments) {
    /** Queries, changes, outputs, errors, and what leaves something in the session. */
    static PreparedText draw(Draw draw) {
        return switch (draw.below(10)) {
            case 0, 1, 2 -> parameter(draw);
            case 3 -> outputs(draw);
            case 4 ->
                number(
                        draw,
                        "INSERT INTO AppDB.dbo.ledger (client, entry, note) VALUES (" + draw.client
                                + ", @p, N'prepared')",
                        draw.entry());
            case 5 -> number(draw, "SELECT " + draw.below(100) + " / @p", draw.below(3));
            case 6 ->
                number(
                        draw,
                        draw.one(
                                "SELECT DB_NAME(), @p",
                                "SELECT entry, note FROM ledger WHERE client = @p ORDER BY entry",
                                "UPDATE AppDB.dbo.ledger SET note = N'seen' WHERE client = @p",
                                "SELECT n FROM AppDB.dbo.ten WHERE n < @p % 7 ORDER BY n"),
                        draw.client);
            case 7 -> number(draw, leaving(draw), draw.below(9));
            default -> number(draw, broken(draw), draw.below(9));
        };
    }

    /** A parameter of any type comes back as a column. */
    private static PreparedText parameter(Draw draw) {
        Sample sample = draw.chance(15) ? Sample.large(draw) : Sample.draw(draw);
        Arg argument = sample.arg();
        return new PreparedText(
                "SELECT @p AS p",
                "@p " + sample.declaration(),
                List.of(draw.chance(30) ? argument.named("@p") : argument));
    }

    private static PreparedText outputs(Draw draw) {
        Arg number = Arg.integer(draw.below(100));
        if (draw.version.hasPartialLengthValues() && draw.chance(30)) {
            return new PreparedText(
                    "SET @l = N'large ' + CAST(@p AS nvarchar(9)); SET @o = @p + 1",
                    "@p int, @l nvarchar(max) OUTPUT, @o int OUTPUT",
                    List.of(number, Arg.out(TypeInfo.nvarchar(TypeInfo.MAX), null), Arg.out(TypeInfo.intN(4), null)));
        }
        return new PreparedText(
                draw.one("SET @o = @p + 1; SELECT @o", "SET @o = @p + 1", "SELECT @o = @p * 2"),
                "@p int, @o int OUTPUT",
                List.of(number, Arg.out(TypeInfo.intN(4), null)));
    }

    private static PreparedText number(Draw draw, String text, int value) {
        return new PreparedText(text, "@p int", List.of(Arg.integer(value)));
    }

    /** What it does to the session counts at every execution. Some of it ends with the statement. */
    private static String leaving(Draw draw) {
        return draw.one(
                "SET NOCOUNT ON; SELECT @p",
                Settings.set(draw) + "; SELECT @p",
                Settings.isolation(draw) + "; SELECT @p",
                Settings.set(draw),
                "BEGIN TRAN; SELECT @p",
                "BEGIN TRAN",
                "COMMIT",
                "IF @@TRANCOUNT > 0 ROLLBACK",
                "USE Other; SELECT DB_NAME(), @p",
                "CREATE TABLE #t0 (a int); INSERT INTO #t0 VALUES (@p); SELECT a FROM #t0",
                "SELECT @p AS a INTO #t1; SELECT COUNT(*) FROM #t1",
                "INSERT INTO #t0 (a, b) VALUES (@p, N'prepared')",
                "EXEC AppDB.dbo.adds_row " + draw.client + ", @p",
                "EXEC AppDB.dbo.sets_options",
                "EXEC AppDB.dbo.begins",
                "EXEC (N'" + Rows.read(draw).replace("'", "''") + "')");
    }

    private static String broken(Draw draw) {
        return draw.one(
                "SELEC @p",
                "SELECT FROM @p",
                "SELECT @p FROM nowhere",
                "SELECT @p; SELECT @@TRANCOUNT",
                "SELECT @p, nothing FROM AppDB.dbo.ten",
                Rows.error(draw),
                "SELECT CAST(N'x' AS int), @p",
                "RAISERROR('number %d', 16, 1, @p); SELECT @p");
    }
}
