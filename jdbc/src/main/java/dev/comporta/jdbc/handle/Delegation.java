package dev.comporta.jdbc.handle;

import static dev.comporta.jdbc.generate.MissingMethods.desc;
import static dev.comporta.jdbc.generate.MissingMethods.descriptor;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import dev.comporta.jdbc.generate.MissingMethods;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.DatabaseMetaData;
import java.sql.NClob;
import java.sql.ParameterMetaData;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Statement;
import java.sql.Struct;
import java.sql.Wrapper;
import java.util.Set;

/**
 * Makes a class that implements every method of a JDBC interface that its base class does not implement, by calling the driver:
 *
 * <pre>{@code
 * public int getInt(int column) throws SQLException {
 *     try { // before execute…: used(), or ran(sql);
 *         return ((ResultSet) delegate()).getInt(column);
 *     } catch (SQLException e) {
 *         throw failed(e);
 *     }
 * }
 * }</pre>
 *
 * <p>A class whose queries are counted calls {@code began()} before execute…, and {@code ended(began)} after it, even if it
 * throws. It is another class, so that statements that are not counted do not pay for it.
 */
final class Delegation {
    private static final ClassDesc SQL_EXCEPTION = desc(SQLException.class);

    /** Types that are returned as an object of the pool's own, which {@code wrapped} makes. */
    private static final Set<Class<?>> WRAPPED =
            Set.of(ResultSet.class, ResultSetMetaData.class, ParameterMetaData.class);

    /** Types whose objects query the server when they are used, which may be after their transaction has ended. */
    private static final Set<Class<?>> ASKS_LATER = Set.of(
            Array.class, Blob.class, Clob.class, NClob.class, Ref.class, RowId.class, SQLXML.class, Struct.class);

    /**
     * Methods that reach the server with one driver or another, and so begin a transaction outside of auto-commit; so do
     * all execute… methods and those of meta data.
     */
    private static final Set<String> REACHES_SERVER = Set.of(
            "insertRow",
            "updateRow",
            "deleteRow",
            "refreshRow",
            "next",
            "previous",
            "first",
            "last",
            "absolute",
            "relative",
            "getMoreResults",
            "getGeneratedKeys",
            "getObject",
            "getCatalog",
            "getSchema");

    private final ClassDesc self;
    private final Class<?> type;
    private final boolean counted;

    private Delegation(Class<?> base, Class<?> type, boolean counted) {
        self = desc(base);
        this.type = type;
        this.counted = counted;
    }

    /** See {@link MissingMethods#constructor}. */
    static MethodHandle constructor(MethodHandles.Lookup lookup, Class<?> base, Class<?> type, boolean counted) {
        Delegation delegation = new Delegation(base, type, counted);
        return MissingMethods.constructor(
                lookup, base, type, counted ? "Counted" : "ToDriver", _ -> true, delegation::addMethod);
    }

    private void addMethod(CodeBuilder code, Method method) {
        if (counted && executes(method)) {
            int began = code.allocateLocal(TypeKind.LONG);
            code.aload(0)
                    .invokevirtual(self, "began", MethodTypeDesc.of(CD_long))
                    .lstore(began);
            addCall(
                    code,
                    method,
                    end -> end.aload(0).lload(began).invokevirtual(self, "ended", MethodTypeDesc.of(CD_void, CD_long)));
        } else {
            addCall(code, method, _ -> {});
        }
    }

    /** Code that leaves the stack as it is. */
    private interface End {
        void addTo(CodeBuilder code);
    }

    private void addCall(CodeBuilder code, Method method, End end) {
        code.trying(
                call -> {
                    if (sendsText(method)) {
                        call.aload(0).aload(1).invokevirtual(self, "ran", MethodTypeDesc.of(CD_void, CD_String));
                    } else if (ASKS_LATER.contains(method.getReturnType())) {
                        call.aload(0).invokevirtual(self, "handedOut", MethodTypeDesc.of(CD_void));
                    } else if (reachesServer(method)) {
                        call.aload(0).invokevirtual(self, "used", MethodTypeDesc.of(CD_void));
                    }
                    call.aload(0).invokevirtual(self, "delegate", MethodTypeDesc.of(desc(Wrapper.class)));
                    call.checkcast(desc(type));
                    Class<?>[] arguments = method.getParameterTypes();
                    for (int i = 0; i < arguments.length; i++) {
                        call.loadLocal(TypeKind.from(arguments[i]), code.parameterSlot(i));
                    }
                    call.invokeinterface(desc(method.getDeclaringClass()), method.getName(), descriptor(method));
                    end.addTo(call);
                    if (WRAPPED.contains(method.getReturnType())) {
                        ClassDesc what = desc(method.getReturnType());
                        call.aload(0).swap().invokevirtual(self, "wrapped", MethodTypeDesc.of(what, what));
                    }
                    call.return_(TypeKind.from(method.getReturnType()));
                },
                catches -> catches.catching(SQL_EXCEPTION, handler -> {
                    end.addTo(handler);
                    handler.aload(0)
                            .swap()
                            .invokevirtual(self, "failed", MethodTypeDesc.of(SQL_EXCEPTION, SQL_EXCEPTION))
                            .athrow();
                }));
    }

    private static boolean executes(Method method) {
        return method.getName().startsWith("execute");
    }

    private boolean sendsText(Method method) {
        return Statement.class.isAssignableFrom(type)
                && (executes(method) || method.getName().equals("addBatch"))
                && method.getParameterCount() > 0
                && method.getParameterTypes()[0] == String.class;
    }

    private boolean reachesServer(Method method) {
        return type == DatabaseMetaData.class
                || type == ResultSetMetaData.class
                || type == ParameterMetaData.class
                || executes(method)
                || REACHES_SERVER.contains(method.getName());
    }
}
