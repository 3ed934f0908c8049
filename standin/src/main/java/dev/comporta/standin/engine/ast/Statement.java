package dev.comporta.standin.engine.ast;

import dev.comporta.standin.engine.SqlType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One T-SQL statement. Omitted names are empty. */
public sealed interface Statement {
    int line();

    record Block(int line, List<Statement> body) implements Statement {}

    record If(
            int line,
            Condition condition,
            Statement then,
            @Nullable Statement otherwise) implements Statement {}

    record While(int line, Condition condition, Statement body) implements Statement {}

    record Break(int line) implements Statement {}

    record Continue(int line) implements Statement {}

    record TryCatch(int line, List<Statement> body, List<Statement> handler) implements Statement {}

    record Return(int line, @Nullable Expr value) implements Statement {}

    record Declare(
            int line, String name, SqlType type, @Nullable Expr value) implements Statement {}

    record DeclareTable(int line, String name, List<TableElement> elements) implements Statement {}

    record Assign(int line, String variable, Expr value) implements Statement {}

    record Print(int line, Expr value) implements Statement {}

    record Raiserror(
            int line, Expr message, Expr severity, Expr state, List<Expr> arguments, boolean setError, boolean noWait)
            implements Statement {}

    record Throw(
            int line,
            @Nullable Expr number,
            @Nullable Expr message,
            @Nullable Expr state) implements Statement {}

    record Waitfor(int line, boolean untilTime, Expr value) implements Statement {}

    record Use(int line, String database) implements Statement {}

    record Select(int line, Query query) implements Statement {}

    record Insert(
            int line,
            ObjectName table,
            List<String> columns,
            @Nullable Query source,
            @Nullable Execute procedure,
            List<OutputItem> output)
            implements Statement {}

    /** INSERTED.x or DELETED.x in an OUTPUT clause. */
    record OutputItem(boolean inserted, Expr expr, String alias) {}

    /** The word DEFAULT among INSERT's VALUES is a call of this name. */
    String DEFAULT_MARK = "DEFAULT";

    record Update(
            int line,
            Query.@Nullable Top top,
            ObjectName table,
            List<SetClause> set,
            List<Query.From> from,
            @Nullable Condition where,
            String currentOf)
            implements Statement {}

    record SetClause(String column, String variable, Expr value) {}

    record Delete(
            int line,
            Query.@Nullable Top top,
            ObjectName table,
            List<Query.From> from,
            @Nullable Condition where,
            String currentOf)
            implements Statement {}

    record Truncate(int line, ObjectName table) implements Statement {}

    record InsertBulk(int line, ObjectName table, List<TableElement.ColumnDef> columns) implements Statement {}

    record CreateTable(int line, ObjectName table, List<TableElement> elements) implements Statement {}

    record AlterTable(int line, ObjectName table, AlterAction action) implements Statement {}

    sealed interface AlterAction {}

    record Add(List<TableElement> elements) implements AlterAction {}

    record DropColumns(List<String> columns) implements AlterAction {}

    record DropConstraint(String name) implements AlterAction {}

    record AlterColumn(String name, SqlType type, @Nullable Boolean nullable) implements AlterAction {}

    record CreateIndex(int line, String name, boolean unique, ObjectName table, List<String> columns)
            implements Statement {}

    record DropIndex(int line, String name, ObjectName table, boolean ifExists) implements Statement {}

    record CreateView(int line, ObjectName name, List<String> columns, Query query, boolean alter, String text)
            implements Statement {}

    record CreateProcedure(
            int line,
            ObjectName name,
            List<ParameterDef> parameters,
            List<Statement> body,
            boolean alter,
            boolean orAlter,
            String text)
            implements Statement {}

    record ParameterDef(String name, SqlType type, @Nullable Expr defaultValue, boolean output) {}

    /** DROP of tables, views, procedures, schemas or databases. */
    record Drop(int line, String kind, List<ObjectName> names, boolean ifExists) implements Statement {}

    record CreateSchema(int line, String name) implements Statement {}

    record CreateDatabase(int line, String name) implements Statement {}

    /**
     * EXEC of a procedure.
     *
     * @param procedureVariable the variable that holds its name, or empty
     */
    record Execute(
            int line, ObjectName procedure, String procedureVariable, String resultVariable, List<Argument> arguments)
            implements Statement {}

    /** An argument of EXEC; a null value is the word DEFAULT. */
    record Argument(String name, @Nullable Expr value, boolean output) {}

    /** EXEC('text'). */
    record ExecuteText(int line, Expr text) implements Statement {}

    record Begin(int line, String name, String nameVariable) implements Statement {}

    record Commit(int line) implements Statement {}

    record Rollback(int line, String name, String nameVariable) implements Statement {}

    record Save(int line, String name, String nameVariable) implements Statement {}

    /** SET of options that are on or off. */
    record SetOptions(int line, List<String> options, boolean on) implements Statement {}

    /** SET of an option with a value. */
    record SetValue(int line, String option, Expr value) implements Statement {}

    record SetIsolation(int line, String level) implements Statement {}

    record SetIdentityInsert(int line, ObjectName table, boolean on) implements Statement {}

    record Dbcc(int line, String command, List<Expr> arguments) implements Statement {}

    record DeclareCursor(int line, String name, List<String> options, Query query) implements Statement {}

    record OpenCursor(int line, String name) implements Statement {}

    record FetchCursor(
            int line,
            String name,
            String direction,
            @Nullable Expr position,
            List<String> into) implements Statement {}

    record CloseCursor(int line, String name) implements Statement {}

    record DeallocateCursor(int line, String name) implements Statement {}

    /** A statement that has no effect here, such as GRANT or CHECKPOINT. */
    record Nothing(int line) implements Statement {}
}
