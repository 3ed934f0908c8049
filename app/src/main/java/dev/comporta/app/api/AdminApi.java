package dev.comporta.app.api;

import dev.comporta.app.console.EventLog;
import dev.comporta.console.Console;
import dev.comporta.console.Parameters;
import dev.comporta.console.names.NearestName;
import dev.comporta.console.table.View;
import dev.comporta.ops.config.proxy.AdminConfig;
import dev.comporta.ops.http.HttpHandler;
import dev.comporta.ops.http.HttpRequest;
import dev.comporta.ops.http.HttpResponse;
import dev.comporta.ops.http.HttpRoutes;
import dev.comporta.ops.work.BackgroundWork;
import dev.comporta.ops.work.SharedAnswers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The admin API of an instance. Requests without the token get an error and no information about the instance. Any thread. */
public final class AdminApi implements HttpHandler {
    public static final String ROOT = "/api/v1";

    private record Question(String path, Map<String, List<String>> query) {}

    private final ApiAccess access;
    private final Console console;
    private final String instance;
    private final BackgroundWork work;
    private final SharedAnswers<Question, HttpResponse> pages;
    private final HttpRoutes routes = new HttpRoutes(ApiAnswers::refusal, this::hint);

    /**
     * @param config the configuration in force: read for each request
     * @param work runs the requests
     */
    public AdminApi(
            Supplier<AdminConfig> config, Console console, String instance, EventLog events, BackgroundWork work) {
        this.work = work;
        pages = new SharedAnswers<>(work);
        access = new ApiAccess(config, events);
        this.console = console;
        this.instance = instance;
        addViews();
        routes.on("POST", ROOT + "/sql", this::sql);
    }

    private void addViews() {
        ViewPages pages = new ViewPages(console, instance);
        Map<String, View> shown = console.catalog().shown();
        shown.values()
                .forEach(view -> routes.get(ROOT + "/" + ViewPages.name(view), request -> pages.rows(view, request)));
        View buckets = view(shown, "BUCKETS");
        View clients = view(shown, "CLIENTS");
        routes.get(
                        ROOT + "/buckets/{id}",
                        request -> pages.row(buckets, "server_name", request.variable("id"), request))
                .get(
                        ROOT + "/clients/{id}",
                        request -> pages.row(clients, "client_id", request.variable("id"), request));
        addCommands(
                new CommandPages(console, instance, (id, request) -> pages.has(buckets, "server_name", id, request)));
    }

    private static View view(Map<String, View> shown, String name) {
        return Optional.ofNullable(shown.get(name)).orElseThrow();
    }

    private void addCommands(CommandPages commands) {
        routes.on("POST", ROOT + "/buckets", commands::create)
                .on("PATCH", ROOT + "/buckets/{id}", commands::alter)
                .on("DELETE", ROOT + "/buckets/{id}", commands::drop)
                .on("POST", ROOT + "/buckets/{id}/pause", commands::pause)
                .on("POST", ROOT + "/buckets/{id}/resume", commands::resume)
                .on("POST", ROOT + "/buckets/{id}/reconnect", commands::reconnect)
                .on("DELETE", ROOT + "/clients/{id}", commands::kill)
                .on("PATCH", ROOT + "/settings", commands::set)
                .on("POST", ROOT + "/reload", commands::reload)
                .on("POST", ROOT + "/drain", commands::drain);
    }

    /** The methods of each path. */
    public Map<String, Set<String>> methods() {
        return routes.methods();
    }

    /** The response to any request while the instance starts: there is no console yet. */
    public static HttpResponse starting() {
        return ApiAnswers.refusal(503, "This instance is starting. Try again in a moment.")
                .with("Retry-After", "1");
    }

    /** The refusal of a request without the right token; empty if it has the token. Blocks for a moment if the token is wrong. */
    public Optional<HttpResponse> refusal(HttpRequest request) {
        return access.refusal(request);
    }

    @Override
    public HttpResponse handle(HttpRequest request) {
        return refusal(request).orElseGet(() -> answer(request));
    }

    /** GET requests with the same path and query share an answer, because they change nothing. */
    private HttpResponse answer(HttpRequest request) {
        return request.method().equals("GET")
                ? pages.get(new Question(request.path(), request.query()), () -> routes.handle(request))
                : work.call(() -> routes.handle(request));
    }

    private HttpResponse sql(HttpRequest request) {
        String text = RequestBody.of(request).allowing(List.of("sql")).text("sql");
        return ApiAnswers.outcomes(console.execute(text, Parameters.NONE, ApiSession.of(request, instance)));
    }

    private String hint(HttpRequest request) {
        int root = ROOT.length() + 1;
        List<String> names = routes.paths().stream()
                .filter(path -> !path.contains("{"))
                .map(path -> path.substring(root))
                .sorted()
                .toList();
        String typed = request.path().substring(Math.min(root, request.path().length()));
        return NearestName.among(names, typed)
                .map(nearest -> "Did you mean " + ROOT + "/" + nearest + "?")
                .orElse("Below " + ROOT + " there is: " + String.join(", ", names) + ".");
    }
}
