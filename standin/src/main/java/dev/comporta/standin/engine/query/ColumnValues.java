package dev.comporta.standin.engine.query;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.ast.Expr;
import dev.comporta.standin.engine.function.JavaFunction;
import dev.comporta.standin.engine.store.Table;
import dev.comporta.standin.engine.store.TableColumn;
import dev.comporta.standin.engine.type.Types;
import java.nio.ByteBuffer;
import java.util.List;

/** The values for a table's columns: converts given values, and supplies identities, row versions and defaults. */
record ColumnValues(Rendering rendering, ExprRenderer exprs, Table table) {
    /** The value of a column that the INSERT does not mention. */
    Fragment missing(TableColumn column) {
        if (column.identity() != null) {
            Environment environment = rendering.environment();
            if (environment.insertsIdentity(table.id())) {
                String text = "Explicit value must be specified for identity column in table '" + table.name()
                        + "' either when IDENTITY_INSERT is set to ON or when a replication user is inserting into a NOT FOR"
                        + " REPLICATION identity column.";
                throw new SqlError(545, 16, 1, SqlError.Effect.STATEMENT, text);
            }
            JavaFunction next = new JavaFunction(0, 0, false, types -> Types.BIGINT, arguments -> {
                long value = table.nextIdentity();
                environment.identityInserted(value);
                return value;
            });
            return rendering.call("identity", next, List.of());
        }
        if (column.type().name() == SqlType.Name.ROWVERSION) {
            return rowVersion(column);
        }
        Expr defaultValue = column.defaultValue();
        return defaultValue == null
                ? rendering.constant(column.type(), null)
                : assigned(column, exprs.render(defaultValue, new Scope(null)));
    }

    Fragment rowVersion(TableColumn column) {
        Environment environment = rendering.environment();
        JavaFunction next = new JavaFunction(
                0,
                0,
                false,
                types -> column.type(),
                arguments -> ByteBuffer.allocate(8)
                        .putLong(environment.nextRowVersion())
                        .array());
        return rendering.call("rowversion", next, List.of());
    }

    /** A value to be stored in a column: converted, and fixed text without its trailing spaces. */
    Fragment assigned(TableColumn column, Fragment value) {
        SqlType type = column.type();
        if (column.identity() != null) {
            return identityAssigned(value);
        }
        if (Types.isText(value.type()) && Types.isFixedText(type) && !value.isNullLiteral()) {
            JavaFunction trim = JavaFunction.strict(
                    1, 1, types -> value.type(), a -> a.text(0).stripTrailing());
            return rendering.call("assign", trim, List.of(value));
        }
        if (type.name() == SqlType.Name.SQL_VARIANT) {
            return rendering.convert(value, type, -1, false);
        }
        return rendering.coerce(value, type);
    }

    private Fragment identityAssigned(Fragment value) {
        Environment environment = rendering.environment();
        Fragment number = rendering.convert(value, Types.BIGINT, -1, false);
        JavaFunction seen = new JavaFunction(1, 1, false, types -> Types.BIGINT, arguments -> {
            if (arguments.get(0) instanceof Long given) {
                table.sawIdentity(given);
                environment.identityInserted(given);
            }
            return arguments.get(0);
        });
        return rendering.call("identity", seen, List.of(number));
    }
}
