package dev.comporta.app.command;

import dev.comporta.app.admin.AdminAddress;
import dev.comporta.app.admin.ApiClient;
import dev.comporta.app.top.Top;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code comporta top}: the fleet in a terminal. */
@Command(
        name = "top",
        sortOptions = false,
        description = {"Shows the buckets of one or more running instances, those with most pressure first.", ""},
        footer = {
            "",
            "Keys: arrows or j, k select a bucket; Enter looks into it (pins, waiting",
            "requests, logins, clients), Esc goes back; / filters by name, s sorts by",
            "another column, p pauses, q quits.",
            "Pressure: down, then paused, then by requests waiting, then by connections in",
            "use of the limit.",
            "The instances need proxy.admin.token, the same one. An instance that does not",
            "answer is named, and the others are shown without it.",
            "Exit code: 0; 2 when the command was misspelt; 3 when a single frame was to be",
            "printed, and no instance answered.",
            "",
            "Examples:",
            "  ./comporta top",
            "  ./comporta top --token-file token proxy-1:8080 proxy-2:8080",
            "  ./comporta top --once | head"
        })
public final class TopCommand implements Callable<Integer> {
    /** How long a frame waits: an instance that takes longer has a problem. */
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    /** In seconds; the figures don't change faster. */
    private static final double SHORTEST_DELAY = 0.2;

    private static final double LONGEST_DELAY = 3600;
    private static final String NO_COLOR = "NO_COLOR";

    @Option(
            names = {"-d", "--delay"},
            paramLabel = "SECONDS",
            defaultValue = "1",
            description = "Time between two requests to an instance (default: ${DEFAULT-VALUE}).")
    private double delay = 1;

    @Option(
            names = "--once",
            description = "Print one frame as plain text, and end. Also the default if the output is not a terminal.")
    private boolean once;

    @Mixin
    private final ApiOptions api;

    @Parameters(
            paramLabel = "HOST:PORT",
            arity = "0..*",
            defaultValue = ApiOptions.DEFAULT_ADDRESS,
            description = "Addresses of the instances' admin API, with https:// before one that uses TLS"
                    + " (default: ${DEFAULT-VALUE}).")
    private List<String> addresses = List.of(ApiOptions.DEFAULT_ADDRESS);

    private final UnaryOperator<@Nullable String> environment;

    public TopCommand(UnaryOperator<@Nullable String> environment) {
        api = new ApiOptions(environment);
        this.environment = environment;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!(delay >= SHORTEST_DELAY && delay <= LONGEST_DELAY)) {
            throw api.misspelt("--delay must be from " + SHORTEST_DELAY + " to " + LONGEST_DELAY + " seconds.");
        }
        List<AdminAddress> instances = addresses.stream().map(api::address).toList();
        String noColor = environment.apply(NO_COLOR);
        try (ApiClient client = api.client(TIMEOUT)) {
            boolean shown = !once
                    && Top.run(
                            client,
                            instances,
                            Duration.ofMillis((long) (delay * 1000)),
                            noColor == null || noColor.isEmpty());
            return shown || Top.once(client, instances, api.out()) ? 0 : ApiOptions.UNAVAILABLE;
        }
    }
}
