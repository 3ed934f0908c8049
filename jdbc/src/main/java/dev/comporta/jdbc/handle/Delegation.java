package dev.comporta.jdbc.handle;

import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Wrapper;
import java.util.HashSet;
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
 * <p>The six interfaces have 700 methods, all alike but for a few dozen. Written out they would be 5,000 lines in which nobody
 * would see a missing one, and each JDK may add some. The classes made here are as fast as written ones.
 */
final class Delegation {
    private static final ClassDesc SQL_EXCEPTION = desc(SQLException.class);
    private static final ClassDesc RESULT_SET = desc(ResultSet.class);

    /** Beside all that is called execute…: these reach the server, and so begin a transaction outside of auto-commit. */
    private static final Set<String> REACHES_SERVER = Set.of("insertRow", "updateRow", "deleteRow", "refreshRow");

    private final Class<?> base;
    private final Class<?> type;
    private final Class<?>[] parameters;

    private Delegation(Class<?> base, Class<?> type) {
        this.base = base;
        this.type = type;
        parameters = base.getDeclaredConstructors()[0].getParameterTypes();
    }

    /**
     * A subclass of {@code base} that implements {@code type}.
     *
     * @param lookup of the base class' package
     * @return its constructor, which has the parameters of the base class' only one, as a method handle that returns {@code base}
     */
    static MethodHandle constructor(MethodHandles.Lookup lookup, Class<?> base, Class<?> type) {
        Delegation delegation = new Delegation(base, type);
        try {
            Class<?> made = lookup.defineClass(delegation.bytes());
            return lookup.findConstructor(made, MethodType.methodType(void.class, delegation.parameters))
                    .asType(MethodType.methodType(base, delegation.parameters));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private byte[] bytes() {
        ClassDesc made = ClassDesc.of(base.getName() + "ToDriver");
        return ClassFile.of().build(made, builder -> {
            builder.withSuperclass(desc(base)).withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER);
            builder.withInterfaceSymbols(desc(type));
            addConstructor(builder);
            Set<String> done = new HashSet<>();
            for (Method method : type.getMethods()) {
                if (!Modifier.isStatic(method.getModifiers())
                        && !isImplemented(method)
                        && done.add(method.getName() + descriptor(method).descriptorString())) {
                    builder.withMethodBody(
                            method.getName(), descriptor(method), ClassFile.ACC_PUBLIC, code -> addCall(code, method));
                }
            }
        });
    }

    private void addConstructor(ClassBuilder builder) {
        MethodTypeDesc descriptor = MethodType.methodType(void.class, parameters)
                .describeConstable()
                .orElseThrow();
        builder.withMethodBody(INIT_NAME, descriptor, 0, code -> {
            code.aload(0);
            for (int i = 0; i < parameters.length; i++) {
                code.loadLocal(TypeKind.from(parameters[i]), code.parameterSlot(i));
            }
            code.invokespecial(desc(base), INIT_NAME, descriptor).return_();
        });
    }

    private boolean isImplemented(Method method) {
        try {
            Method found = base.getMethod(method.getName(), method.getParameterTypes());
            return !found.getDeclaringClass().isInterface() && !Modifier.isAbstract(found.getModifiers());
        } catch (NoSuchMethodException _) {
            return false;
        }
    }

    private void addCall(CodeBuilder code, Method method) {
        ClassDesc self = desc(base);
        code.trying(
                call -> {
                    if (sendsText(method)) {
                        call.aload(0).aload(1).invokevirtual(self, "ran", MethodTypeDesc.of(CD_void, CD_String));
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
                    if (method.getReturnType() == ResultSet.class) {
                        call.aload(0).swap().invokevirtual(self, "wrapped", MethodTypeDesc.of(RESULT_SET, RESULT_SET));
                    }
                    call.return_(TypeKind.from(method.getReturnType()));
                },
                catches -> catches.catching(
                        SQL_EXCEPTION,
                        handler -> handler.aload(0)
                                .swap()
                                .invokevirtual(self, "failed", MethodTypeDesc.of(SQL_EXCEPTION, SQL_EXCEPTION))
                                .athrow()));
    }

    private boolean sendsText(Method method) {
        return Statement.class.isAssignableFrom(type)
                && (method.getName().startsWith("execute") || method.getName().equals("addBatch"))
                && method.getParameterCount() > 0
                && method.getParameterTypes()[0] == String.class;
    }

    private boolean reachesServer(Method method) {
        return type == DatabaseMetaData.class
                || method.getName().startsWith("execute")
                || REACHES_SERVER.contains(method.getName());
    }

    private static MethodTypeDesc descriptor(Method method) {
        return MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .describeConstable()
                .orElseThrow();
    }

    private static ClassDesc desc(Class<?> type) {
        return type.describeConstable().orElseThrow();
    }
}
