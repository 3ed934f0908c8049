package dev.comporta.console.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One statement of a text. */
public sealed interface Statement permits Command, Statement.Driver {
    Position at();

    /** A statement that changes nothing outside its own text. */
    sealed interface Driver extends Statement {}

    record Select(Position at, Query query) implements Driver {}

    /** @param thing in upper case */
    record Show(Position at, String thing) implements Driver {}

    /** A statement that drivers send and that has no meaning here: a session option, a transaction. */
    record Ignored(Position at) implements Driver {}

    record Use(Position at, String database) implements Driver {}

    record If(
            Position at,
            Expr condition,
            Statement then,
            @Nullable Statement otherwise) implements Driver {}

    record Block(Position at, List<Statement> statements) implements Driver {}

    record DeclareTable(Position at, String variable, List<ColumnDefinition> columns) implements Driver {}

    record DeclareValue(
            Position at,
            String variable,
            TypeName type,
            @Nullable Expr value) implements Driver {}

    record Assign(Position at, String variable, Expr value) implements Driver {}

    /** {@code INSERT INTO @t EXEC …}, with which drivers read the rows of a catalog procedure. */
    record InsertExec(Position at, String variable, Exec exec) implements Driver {}

    record Exec(Position at, String procedure, List<Argument> arguments) implements Driver {}

    record ColumnDefinition(String name, TypeName type) {}

    /** @param name with its {@code @}; null for an argument given by its place */
    record Argument(@Nullable String name, Expr value) {}
}
