package dev.comporta.testkit;

import dev.comporta.tds.request.RpcCall;
import dev.comporta.tds.request.RpcParameter;
import dev.comporta.tds.request.SystemProcedure;
import dev.comporta.tds.type.TypeInfo;
import java.util.List;

/** Calls that prepare, execute and unprepare statements without parameters. */
public final class PreparedCall {
    private static final TypeInfo INT = TypeInfo.intN(Integer.BYTES);
    private static final String RETURNED = "RETURNVALUE 0  = ";

    private PreparedCall() {}

    public static RpcCall prepare(String sql) {
        return RpcCall.of(SystemProcedure.PREPARE, RpcParameter.output("", INT, null), text(""), text(sql));
    }

    public static RpcCall prepareAndExecute(String sql) {
        return RpcCall.of(SystemProcedure.PREP_EXEC, RpcParameter.output("", INT, null), text(""), text(sql));
    }

    public static RpcCall execute(int handle) {
        return RpcCall.of(SystemProcedure.EXECUTE, RpcParameter.of("", INT, handle));
    }

    public static RpcCall unprepare(int handle) {
        return RpcCall.of(SystemProcedure.UNPREPARE, RpcParameter.of("", INT, handle));
    }

    private static RpcParameter text(String sql) {
        return RpcParameter.of("", TypeInfo.ntext(), sql);
    }

    /** The handle among the tokens of a response to one call that prepares. */
    public static int handleIn(List<String> tokens) {
        return tokens.stream()
                .filter(token -> token.startsWith(RETURNED))
                .mapToInt(token -> Integer.parseInt(token.substring(RETURNED.length())))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no handle in " + tokens));
    }
}
