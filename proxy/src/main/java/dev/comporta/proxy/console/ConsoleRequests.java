package dev.comporta.proxy.console;

import dev.comporta.console.Console;
import dev.comporta.console.ConsoleSession;
import dev.comporta.console.Outcome;
import dev.comporta.console.Parameters;
import dev.comporta.console.system.Arguments;
import dev.comporta.tds.request.RpcCall;
import dev.comporta.tds.request.RpcParameter;
import dev.comporta.tds.request.RpcRequest;
import dev.comporta.tds.request.SystemProcedure;
import dev.comporta.tds.request.TransactionRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Carries out one administrator's requests, one at a time, each on any thread. Transactions are acknowledged, so that drivers
 * that always begin one can connect; the console has nothing to roll back.
 */
final class ConsoleRequests {
    private static final int MOST_PREPARED = 1000;
    private static final int UNKNOWN_HANDLE = 8179;
    private static final int NOT_SUPPORTED = 50_000;

    /** @param declaration the declaration of its parameters; null without parameters */
    private record Prepared(@Nullable RpcParameter declaration, RpcParameter text) {}

    private final Console console;
    private final ConsoleSession session;
    private final Map<Integer, Prepared> prepared = new HashMap<>();
    private int lastHandle;
    private long transaction;

    ConsoleRequests(Console console, ConsoleSession session) {
        this.console = console;
        this.session = session;
    }

    void reset() {
        prepared.clear();
    }

    void batch(String text, ConsoleAnswer answer) {
        console.execute(text, Parameters.NONE, session).forEach(answer::outcome);
    }

    void transaction(TransactionRequest.Action action, ConsoleAnswer answer) {
        switch (action) {
            case TransactionRequest.Begin _ -> answer.transactionBegan(++transaction);
            case TransactionRequest.Commit _ -> answer.transactionCommitted(transaction);
            case TransactionRequest.Rollback _ -> answer.transactionRolledBack(transaction);
            case TransactionRequest.Save _ -> {}
            case TransactionRequest.GetDtcAddress _, TransactionRequest.Propagate _, TransactionRequest.Promote _ ->
                answer.failed("the console does not support distributed transactions");
        }
    }

    void calls(RpcRequest request, ConsoleAnswer answer) {
        for (RpcRequest.Entry entry : request.entries()) {
            if (entry.execute()) {
                answer.beginCall();
                answer.endCall(call(entry.call(), answer));
            }
        }
    }

    /** @return whether it succeeded */
    private boolean call(RpcCall call, ConsoleAnswer answer) {
        List<RpcParameter> parameters = call.parameters();
        return switch (call.systemProcedure()) {
            case SystemProcedure.EXECUTE_SQL -> run("sp_executesql", ConsoleValues.arguments(parameters), answer);
            case SystemProcedure.PREPARE -> prepare(parameters, answer, false);
            case SystemProcedure.PREP_EXEC -> prepare(parameters, answer, true);
            case SystemProcedure.EXECUTE -> execute(parameters, answer);
            case SystemProcedure.UNPREPARE -> unprepare(parameters, answer);
            case SystemProcedure.NONE -> run(name(call.name()), ConsoleValues.arguments(parameters), answer);
            default -> {
                answer.error(
                        NOT_SUPPORTED,
                        SystemProcedure.name(call.systemProcedure())
                                + " is not supported by the console: use a forward-only, read-only result.");
                yield false;
            }
        };
    }

    /** The last part of a name, without its brackets. */
    private static String name(String called) {
        String last =
                called.substring(called.lastIndexOf('.') + 1).replace("[", "").replace("]", "");
        int version = last.indexOf(';');
        return version < 0 ? last : last.substring(0, version);
    }

    private boolean run(String procedure, Arguments arguments, ConsoleAnswer answer) {
        boolean good = true;
        for (Outcome outcome : console.call(procedure, arguments, session)) {
            good &= answer.outcome(outcome);
        }
        if (good) {
            answer.status(0);
        }
        return good;
    }

    private boolean prepare(List<RpcParameter> parameters, ConsoleAnswer answer, boolean executes) {
        if (parameters.size() < 3) {
            answer.error(NOT_SUPPORTED, "sp_prepare takes a handle, a declaration and a text.");
            return false;
        }
        if (prepared.size() == MOST_PREPARED) {
            answer.error(NOT_SUPPORTED, "The console keeps " + MOST_PREPARED + " prepared statements: unprepare some.");
            return false;
        }
        RpcParameter declaration = parameters.get(1);
        boolean declares = declaration.value() instanceof String text && !text.isEmpty();
        Prepared made = new Prepared(declares ? declaration : null, parameters.get(2));
        int handle = ++lastHandle;
        prepared.put(handle, made);
        boolean good = !executes || show(made, parameters.subList(3, parameters.size()), answer);
        answer.handle(handle);
        return good;
    }

    private boolean execute(List<RpcParameter> parameters, ConsoleAnswer answer) {
        Prepared found = parameters.isEmpty() ? null : prepared.get(ConsoleValues.integer(parameters.getFirst()));
        if (found == null) {
            return unknown(parameters, answer);
        }
        boolean good = show(found, parameters.subList(1, parameters.size()), answer);
        if (good) {
            answer.status(0);
        }
        return good;
    }

    private boolean show(Prepared statement, List<RpcParameter> values, ConsoleAnswer answer) {
        Arguments arguments = new Arguments();
        ConsoleValues.add(arguments, "", statement.text);
        if (statement.declaration != null) {
            ConsoleValues.add(arguments, "", statement.declaration);
            values.forEach(value -> ConsoleValues.add(arguments, value.name(), value));
        }
        boolean good = true;
        for (Outcome outcome : console.call("sp_executesql", arguments, session)) {
            good &= answer.outcome(outcome);
        }
        return good;
    }

    private boolean unprepare(List<RpcParameter> parameters, ConsoleAnswer answer) {
        if (parameters.isEmpty() || prepared.remove(ConsoleValues.integer(parameters.getFirst())) == null) {
            return unknown(parameters, answer);
        }
        answer.status(0);
        return true;
    }

    private static boolean unknown(List<RpcParameter> parameters, ConsoleAnswer answer) {
        String number = parameters.isEmpty()
                ? "0"
                : String.valueOf(parameters.getFirst().value());
        answer.error(UNKNOWN_HANDLE, "Could not find prepared statement with handle " + number + ".");
        return false;
    }
}
