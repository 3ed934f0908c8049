package dev.comporta.tds.request;

import dev.comporta.tds.Ucs2;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/**
 * One call of a procedure.
 *
 * @param procId a constant of {@link SystemProcedure} if called by number; otherwise {@link SystemProcedure#NONE}
 * @param name as the client wrote it; empty if called by number
 * @param options {@link #OPTION_RECOMPILE}, {@link #OPTION_NO_METADATA}, {@link #OPTION_REUSE_METADATA}
 */
public record RpcCall(int procId, String name, int options, List<RpcParameter> parameters) {
    public static final int OPTION_RECOMPILE = 0x01;

    /** The client knows the result's metadata; the server omits it. */
    public static final int OPTION_NO_METADATA = 0x02;

    public static final int OPTION_REUSE_METADATA = 0x04;

    /** In place of the name's length: a procedure number follows. */
    static final int BY_NUMBER = 0xFFFF;

    /** Follows a call: that call is not to be executed. */
    static final int NO_EXEC = 0xFE;

    public RpcCall {
        parameters = List.copyOf(parameters);
    }

    public static RpcCall of(int procId, RpcParameter... parameters) {
        return new RpcCall(procId, "", 0, List.of(parameters));
    }

    public static RpcCall of(String name, RpcParameter... parameters) {
        return new RpcCall(SystemProcedure.NONE, name, 0, List.of(parameters));
    }

    /** The number of the system procedure that is called, by number or by name; or {@link SystemProcedure#NONE}. */
    public int systemProcedure() {
        return procId != SystemProcedure.NONE ? procId : SystemProcedure.byName(name);
    }

    static RpcCall read(ByteBuf in, RequestFormat format) {
        int procId = SystemProcedure.NONE;
        String name = "";
        int nameLength = in.readUnsignedShortLE();
        if (nameLength == BY_NUMBER) {
            procId = in.readUnsignedShortLE();
        } else {
            name = Ucs2.read(in, nameLength);
        }
        int options = in.readUnsignedShortLE();
        if (format.enclavePackages()) {
            EnclavePackage.read(in);
        }
        List<RpcParameter> parameters = new ArrayList<>();
        while (in.isReadable() && !isEndOfCall(in.getUnsignedByte(in.readerIndex()), format)) {
            parameters.add(RpcParameter.read(in, format));
        }
        return new RpcCall(procId, name, options, parameters);
    }

    void write(ByteBuf out, RequestFormat format) {
        if (procId != SystemProcedure.NONE) {
            out.writeShortLE(BY_NUMBER).writeShortLE(procId);
        } else {
            if (name.length() >= BY_NUMBER) {
                throw new IllegalArgumentException("procedure name of " + name.length() + " characters");
            }
            out.writeShortLE(name.length());
            Ucs2.write(out, name);
        }
        out.writeShortLE(options);
        if (format.enclavePackages()) {
            EnclavePackage.writeEmpty(out);
        }
        for (RpcParameter parameter : parameters) {
            parameter.write(out, format);
        }
    }

    /** Whether a byte that could be the length of a parameter's name is a flag that follows the call instead. */
    static boolean isEndOfCall(int value, RequestFormat format) {
        return value == format.version().rpcSeparator() || (format.version().hasAllHeaders() && value == NO_EXEC);
    }
}
