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
 */
record Call(int procedure, String name, List<Arg> args) {
    Call {
        args = List.copyOf(args);
    }

    static Call of(int procedure, Arg... args) {
        return new Call(procedure, "", List.of(args));
    }

    static Call of(int procedure, List<Arg> args) {
        return new Call(procedure, "", args);
    }

    static Call of(String name, Arg... args) {
        return new Call(SystemProcedure.NONE, name, List.of(args));
    }

    /** The same, by the procedure's name. */
    Call byName() {
        return new Call(SystemProcedure.NONE, SystemProcedure.name(procedure), args);
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
                + args.stream().map(Arg::toString).collect(Collectors.joining(", ", "(", ")"));
    }
}
