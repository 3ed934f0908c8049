package dev.comporta.e2e.sessions;

import dev.comporta.tds.request.RpcParameter;
import dev.comporta.tds.type.SqlVariant;
import dev.comporta.tds.type.TypeInfo;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A parameter of a call.
 *
 * @param handle which of the session's handles is sent, {@link Handles#NEVER_GIVEN} or {@link Handles#NOT_A_HANDLE}: its value
 *     is the server's choice
 * @param returns which of the session's handles comes back, or {@link Handles#NOT_A_HANDLE}
 */
record Arg(
        String name,
        boolean output,
        TypeInfo type,
        @Nullable Object value,
        int handle,
        int returns) {
    /** A value that is longer is not printed whole. */
    private static final int SHOWN = 60;

    static Arg text(String value) {
        return of(value.length() > 4000 ? TypeInfo.ntext() : TypeInfo.nvarchar(Math.max(1, value.length())), value);
    }

    static Arg integer(int value) {
        return of(TypeInfo.intN(4), value);
    }

    static Arg of(TypeInfo type, @Nullable Object value) {
        return new Arg("", false, type, value, Handles.NOT_A_HANDLE, Handles.NOT_A_HANDLE);
    }

    static Arg out(TypeInfo type, @Nullable Object value) {
        return new Arg("", true, type, value, Handles.NOT_A_HANDLE, Handles.NOT_A_HANDLE);
    }

    /** A handle that was returned before. */
    static Arg handle(int handle) {
        return new Arg("", false, TypeInfo.intN(4), null, handle, Handles.NOT_A_HANDLE);
    }

    /** A handle that the call returns. */
    static Arg newHandle(int handle) {
        return newHandle(Handles.NOT_A_HANDLE, handle);
    }

    /** A handle that the call returns, and one that it is given to end. */
    static Arg newHandle(int old, int handle) {
        return new Arg("", true, TypeInfo.intN(4), null, old, handle);
    }

    Arg named(String other) {
        return new Arg(other, output, type, value, handle, returns);
    }

    RpcParameter parameter(Handles handles) {
        if (returns >= 0) {
            handles.prepares();
        }
        Object sent = handle == Handles.NOT_A_HANDLE ? value : handles.given(handle);
        return output ? RpcParameter.output(name, type, sent) : RpcParameter.of(name, type, sent);
    }

    @Override
    public String toString() {
        boolean isHandle = handle != Handles.NOT_A_HANDLE || returns != Handles.NOT_A_HANDLE;
        String sent = handle == Handles.NOT_A_HANDLE ? shown(value) : Handles.name(handle);
        return (name.isEmpty() ? "" : name + " = ")
                + sent
                + (returns == Handles.NOT_A_HANDLE ? "" : " -> " + Handles.name(returns))
                + (output ? " OUTPUT" : "")
                + (value instanceof String || isHandle ? "" : ":" + type.type());
    }

    static String shown(@Nullable Object value) {
        String text = switch (value) {
            case null -> "NULL";
            case String string -> "N'" + string.replace("'", "''") + "'";
            case byte[] bytes -> "0x" + HexFormat.of().formatHex(bytes);
            case SqlVariant variant -> "variant " + variant.type().type() + " " + shown(variant.value());
            default -> value.toString();
        };
        return text.length() <= SHOWN * 4
                ? text
                : text.substring(0, SHOWN) + "…(" + text.length() + ", " + text.hashCode() + ")";
    }
}
