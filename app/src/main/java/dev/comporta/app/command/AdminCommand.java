package dev.comporta.app.command;

import dev.comporta.app.admin.AdminAddress;
import dev.comporta.app.admin.AnswerFormat;
import dev.comporta.app.admin.ApiClient;
import dev.comporta.app.admin.ApiUnavailable;
import dev.comporta.app.admin.SqlRefused;
import dev.comporta.app.text.Cells;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code comporta admin}: one text of SQL for the console of a running instance. */
@Command(
        name = "admin",
        sortOptions = false,
        description = {"Sends SQL to the console of a running instance, and prints what it answers.", ""},
        footer = {
            "",
            "docs/console.md has the views and commands; SHOW HELP lists them. The",
            "instance needs proxy.admin.token.",
            "Exit code: 0 when all of it ran; 1 when a statement was refused, and those",
            "after it did not run; 2 when the command was misspelt; 3 when the instance",
            "can't be reached, or does not accept the token.",
            "",
            "Examples:",
            "  ./comporta admin \"SHOW POOLS\"",
            "  ./comporta admin --format csv \"SELECT login, state FROM sys.clients\"",
            "  ./comporta admin --address proxy-1:8080 --token-file token PAUSE bucket-1",
            "  ./comporta admin - < report.sql"
        })
public final class AdminCommand implements Callable<Integer> {
    private static final int REFUSED = 1;

    /** Longer than a query may take, and long enough for RELOAD, which waits until it is done. */
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static final String STANDARD_INPUT = "-";

    @Option(
            names = "--address",
            paramLabel = "HOST:PORT",
            defaultValue = ApiOptions.DEFAULT_ADDRESS,
            description = "Address of the instance's admin API, with https:// before it if it uses TLS"
                    + " (default: ${DEFAULT-VALUE}).")
    private String address = ApiOptions.DEFAULT_ADDRESS;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "TABLE",
            description = "table, json or csv (default: table).")
    private AnswerFormat format = AnswerFormat.TABLE;

    @Mixin
    private final ApiOptions api;

    @Parameters(paramLabel = "SQL", arity = "1..*", description = "What to run; - reads it from standard input.")
    private List<String> sql = List.of();

    private final InputStream input;

    public AdminCommand(UnaryOperator<@Nullable String> environment, InputStream input) {
        api = new ApiOptions(environment);
        this.input = input;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        AdminAddress to = api.address(address);
        String text = String.join(" ", sql);
        try (ApiClient client = api.client(TIMEOUT)) {
            if (text.equals(STANDARD_INPUT)) {
                text = new String(input.readAllBytes(), StandardCharsets.UTF_8);
            }
            format.print(client.ask(to, text), api.out());
            return 0;
        } catch (SqlRefused e) {
            format.print(e.before(), api.out());
            point(text, e).forEach(api.err()::println);
            String where = "error %d (line %d, column %d): ".formatted(e.number(), e.line(), e.column());
            (where + e.text()).lines().map(Cells::clean).forEach(api.err()::println);
            return REFUSED;
        } catch (ApiUnavailable e) {
            api.err().println("comporta: " + to.shown() + ": " + e.text());
            return ApiOptions.UNAVAILABLE;
        }
    }

    /** The line with the error, and below it a mark at its place. */
    private static List<String> point(String text, SqlRefused e) {
        List<String> lines = text.lines().toList();
        if (e.line() < 1 || e.line() > lines.size() || e.column() < 1) {
            return List.of();
        }
        String line = Cells.clean(lines.get(e.line() - 1));
        String before = line.substring(0, Math.min(line.length(), e.column() - 1));
        return List.of(line, " ".repeat(Cells.width(before)) + "^");
    }
}
