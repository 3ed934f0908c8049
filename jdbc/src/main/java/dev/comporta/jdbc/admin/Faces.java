package dev.comporta.jdbc.admin;

import static dev.comporta.jdbc.generate.MissingMethods.desc;

import dev.comporta.console.table.Table;
import dev.comporta.jdbc.generate.MissingMethods;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the objects of JDBC. Methods that a class does not implement throw {@link SQLFeatureNotSupportedException}; those
 * of the meta data return an empty value: false, 0, an empty text or no rows.
 */
final class Faces {
    private static final MethodHandle CONNECTION =
            constructor(AdminConnection.class, Connection.class, Faces::addRefusal);
    private static final MethodHandle STATEMENT = constructor(AdminStatement.class, Statement.class, Faces::addRefusal);
    private static final MethodHandle PREPARED =
            constructor(AdminPreparedStatement.class, PreparedStatement.class, Faces::addRefusal);
    private static final MethodHandle RESULT_SET =
            constructor(AdminResultSet.class, ResultSet.class, Faces::addByLabel);
    private static final MethodHandle META_DATA =
            constructor(AdminMetaData.class, DatabaseMetaData.class, Faces::addBlank);

    private Faces() {}

    private static MethodHandle constructor(Class<?> base, Class<?> type, BiConsumer<CodeBuilder, Method> body) {
        return MissingMethods.constructor(
                MethodHandles.lookup(), base, type, "Face", method -> Modifier.isAbstract(method.getModifiers()), body);
    }

    private static void addRefusal(CodeBuilder code, Method method) {
        code.loadConstant(method.getName())
                .invokestatic(
                        desc(Faces.class),
                        "unsupported",
                        MethodTypeDesc.of(desc(SQLException.class), ConstantDescs.CD_String))
                .athrow();
    }

    private static void addBlank(CodeBuilder code, Method method) {
        Class<?> type = method.getReturnType();
        if (type == boolean.class || type == int.class) {
            code.iconst_0().ireturn();
        } else if (type == String.class) {
            code.loadConstant("").areturn();
        } else if (type == ResultSet.class) {
            code.aload(0)
                    .invokevirtual(desc(AdminMetaData.class), "none", MethodTypeDesc.of(desc(ResultSet.class)))
                    .areturn();
        } else {
            addRefusal(code, method);
        }
    }

    /** Adds a method that reads a column by its label if there is one that reads it by its number; others are not supported. */
    private static void addByLabel(CodeBuilder code, Method method) {
        if (!isReadByColumn(method)) {
            addRefusal(code, method);
            return;
        }
        ClassDesc self = desc(AdminResultSet.class);
        code.aload(0)
                .aload(0)
                .aload(1)
                .invokevirtual(self, "findColumn", MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_String));
        for (int i = 1; i < method.getParameterCount(); i++) {
            code.loadLocal(TypeKind.from(method.getParameterTypes()[i]), code.parameterSlot(i));
        }
        MethodTypeDesc byColumn = MissingMethods.descriptor(method).changeParameterType(0, ConstantDescs.CD_int);
        code.invokevirtual(self, method.getName(), byColumn).return_(TypeKind.from(method.getReturnType()));
    }

    private static boolean isReadByColumn(Method byLabel) {
        Class<?>[] parameters = byLabel.getParameterTypes();
        if (parameters.length == 0 || parameters[0] != String.class) {
            return false;
        }
        parameters[0] = int.class;
        return Arrays.stream(AdminResultSet.class.getDeclaredMethods())
                .anyMatch(
                        m -> m.getName().equals(byLabel.getName()) && Arrays.equals(m.getParameterTypes(), parameters));
    }

    static SQLException unsupported(String method) {
        return new SQLFeatureNotSupportedException(
                method + " is not supported by the administrative connection", "0A000");
    }

    static Connection connection(AdminDatabase database, AdminSession session, String url) {
        try {
            return (AdminConnection) CONNECTION.invokeExact(database, session, url);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    static Statement statement(AdminConnection connection) {
        try {
            return (AdminStatement) STATEMENT.invokeExact(connection);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    static PreparedStatement prepared(AdminConnection connection, String sql) throws SQLException {
        AdminPreparedStatement made;
        try {
            made = (AdminPreparedStatement) PREPARED.invokeExact(connection);
        } catch (Throwable e) {
            throw impossible(e);
        }
        made.prepare(sql);
        return made;
    }

    static ResultSet resultSet(Table rows, @Nullable Statement statement) {
        try {
            return (AdminResultSet) RESULT_SET.invokeExact(rows, statement);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    static DatabaseMetaData metaData(AdminConnection connection) {
        try {
            return (AdminMetaData) META_DATA.invokeExact(connection);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** The constructors throw nothing. */
    private static RuntimeException impossible(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(e);
    }

    static <T> T unwrap(Object self, Class<T> type) throws SQLException {
        if (type.isInstance(self)) {
            return type.cast(self);
        }
        throw new SQLException("an administrative connection can't be unwrapped as " + type.getName(), "0A000");
    }
}
