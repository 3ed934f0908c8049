package dev.comporta.standin.engine.store;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.ast.Expr;
import dev.comporta.standin.engine.ast.TableElement;
import org.jspecify.annotations.Nullable;

/** A column as it was declared. Defaults are kept here and not in H2: INSERT supplies them. */
public record TableColumn(
        String name,
        SqlType type,
        boolean nullable,
        TableElement.@Nullable Identity identity,
        @Nullable Expr defaultValue,
        String defaultText) {

    public boolean isGenerated() {
        return identity != null || type.name() == SqlType.Name.ROWVERSION;
    }

    public Column toColumn() {
        return new Column(name, type, nullable, identity != null);
    }
}
