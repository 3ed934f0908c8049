package dev.comporta.e2e.sessions;

import dev.comporta.tds.request.RpcCall;
import dev.comporta.tds.request.RpcParameter;
import dev.comporta.tds.request.SystemProcedure;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One call of an RPC.
 *
 * @param procedure by its number, or {@link SystemProcedure#NONE}
 * @param name empty when it is called by number
 * @param execute false for a call that its message takes back
 */
record Call(int procedure, String name, List<Arg> args, boolean execute) {
    Call {
        args = List.copyOf(args);
    }

    static Call of(int procedure, Arg... args) {
        return new Call(procedure, "", List.of(args), true);
    }

    static Call of(int procedure, List<Arg> args) {
        return new Call(procedure, "", args, true);
    }

    static Call of(String name, Arg... args) {
        return new Call(SystemProcedure.NONE, name, List.of(args), true);
    }

    /** The same, by the procedure's name. */
    Call byName() {
        return byName(SystemProcedure.name(procedure));
    }

    /** The same, by one of the names that the procedure has. */
    Call byName(String other) {
        return new Call(SystemProcedure.NONE, other, args, execute);
    }

    Call takenBack() {
        return new Call(procedure, name, args, false);
    }

    RpcCall wire(Handles handles) {
        RpcParameter[] parameters =
                args.stream().map(arg -> arg.parameter(handles)).toArray(RpcParameter[]::new);
        return procedure == SystemProcedure.NONE ? RpcCall.of(name, parameters) : RpcCall.of(procedure, parameters);
    }

    /** The parameter that a returned value belongs to. Before TDS 7.2 servers tell no ordinal, only an order. */
    Arg returned(int ordinal, int order, boolean byOrdinal) {
        if (byOrdinal) {
            return args.get(ordinal);
        }
        return args.stream().filter(Arg::output).toList().get(order);
    }

    @Override
    public String toString() {
        return (name.isEmpty() ? SystemProcedure.name(procedure) + "#" + procedure : name)
                + args.stream().map(Arg::toString).collect(Collectors.joining(", ", "(", ")"))
                + (execute ? "" : " taken back");
    }
}
