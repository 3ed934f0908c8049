package dev.comporta.app.api;

import dev.comporta.console.Console;
import dev.comporta.console.Outcome;
import dev.comporta.console.sql.Command;
import dev.comporta.console.sql.OptionChange;
import dev.comporta.console.sql.Position;
import dev.comporta.ops.http.HttpRefusal;
import dev.comporta.ops.http.HttpRequest;
import dev.comporta.ops.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Function;

/** Requests that give the console's commands. Each goes through the operator, which leaves its audit line. */
final class CommandPages {
    /** The result of a command. */
    private record Carried(String message, String audit) {}

    private static final Position NOWHERE = new Position(1, 1);
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    private final Console console;
    private final String instance;
    private final BiPredicate<String, HttpRequest> isBucket;

    CommandPages(Console console, String instance, BiPredicate<String, HttpRequest> isBucket) {
        this.console = console;
        this.instance = instance;
        this.isBucket = isBucket;
    }

    HttpResponse pause(HttpRequest request) {
        return ofBucket(request, Command.Pause::new);
    }

    HttpResponse resume(HttpRequest request) {
        return ofBucket(request, Command.Resume::new);
    }

    HttpResponse reconnect(HttpRequest request) {
        return ofBucket(request, Command.Reconnect::new);
    }

    private HttpResponse ofBucket(HttpRequest request, BiFunction<Position, String, Command> command) {
        RequestBody.of(request).allowing(Set.of());
        String id = request.variable("id");
        return done(200, give(request, command.apply(NOWHERE, id), unknownOr(id, request, CONFLICT)));
    }

    HttpResponse kill(HttpRequest request) {
        RequestBody.of(request).allowing(Set.of());
        return done(200, give(request, new Command.Kill(NOWHERE, request.variable("id")), _ -> NOT_FOUND));
    }

    HttpResponse reload(HttpRequest request) {
        RequestBody.of(request).allowing(Set.of());
        return done(200, give(request, new Command.Reload(NOWHERE), _ -> CONFLICT));
    }

    HttpResponse drain(HttpRequest request) {
        RequestBody.of(request).allowing(Set.of());
        return done(200, give(request, new Command.Drain(NOWHERE), _ -> CONFLICT));
    }

    HttpResponse set(HttpRequest request) {
        RequestBody body = RequestBody.of(request).allowing(List.of("key", "value"));
        Command command = new Command.SetKey(NOWHERE, body.text("key"), body.value("value"));
        return done(200, give(request, command, _ -> BAD_REQUEST));
    }

    HttpResponse create(HttpRequest request) {
        RequestBody body = RequestBody.of(request);
        String id = body.text("id");
        Map<String, String> options = new LinkedHashMap<>();
        body.options().forEach((key, value) -> {
            if (value != null && !key.equals("id")) {
                options.put(key, value);
            }
        });
        boolean exists = isBucket.test(id, request);
        Command command = new Command.CreateServer(NOWHERE, id, null, options);
        return done(201, give(request, command, _ -> exists ? CONFLICT : BAD_REQUEST))
                .with("Location", AdminApi.ROOT + "/buckets/" + id);
    }

    HttpResponse alter(HttpRequest request) {
        List<OptionChange> changes = new ArrayList<>();
        RequestBody.of(request)
                .options()
                .forEach((key, value) -> changes.add(
                        value == null
                                ? new OptionChange(OptionChange.Action.DROP, key, "")
                                : new OptionChange(OptionChange.Action.SET, key, value)));
        if (changes.isEmpty()) {
            throw new HttpRefusal(
                    BAD_REQUEST, "The body names no key. Write those to change, and null for those to leave out.");
        }
        String id = request.variable("id");
        return done(
                200, give(request, new Command.AlterServer(NOWHERE, id, changes), unknownOr(id, request, BAD_REQUEST)));
    }

    HttpResponse drop(HttpRequest request) {
        return ofBucket(request, Command.DropServer::new);
    }

    private Function<String, Integer> unknownOr(String bucket, HttpRequest request, int otherwise) {
        return _ -> isBucket.test(bucket, request) ? otherwise : NOT_FOUND;
    }

    /** @param statusOfFailure the HTTP status for the message of a failed command */
    private Carried give(HttpRequest request, Command command, Function<String, Integer> statusOfFailure) {
        ApiSession session = ApiSession.of(request, instance);
        return switch (console.execute(command, session)) {
            case Outcome.Done(String message) ->
                new Carried(message, session.audit().get());
            case Outcome.Failed failed ->
                throw new HttpRefusal(statusOfFailure.apply(failed.message()), failed.message());
            case Outcome.Rows rows ->
                throw new IllegalStateException("a command with " + rows.rows().size() + " rows");
        };
    }

    private static HttpResponse done(int status, Carried out) {
        return ApiAnswers.done(status, out.message(), out.audit());
    }
}
