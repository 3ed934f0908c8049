package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.Message;
import dev.comporta.standin.engine.Response;
import dev.comporta.standin.engine.ast.Expr;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects results; messages and transaction reports still go to the client. */
final class RowCollector implements Response {
    record Result(List<Column> columns, List<@Nullable Object[]> rows) {}

    private final Response client;
    private final List<Result> results = new ArrayList<>();

    RowCollector(Response client) {
        this.client = client;
    }

    List<Result> results() {
        return results;
    }

    /** The rows of all results, as constants for an INSERT. */
    List<List<Expr>> literals() {
        List<List<Expr>> literals = new ArrayList<>();
        for (Result result : results) {
            for (@Nullable Object[] values : result.rows) {
                List<Expr> row = new ArrayList<>();
                for (int i = 0; i < values.length; i++) {
                    row.add(new Expr.Literal(result.columns.get(i).type(), values[i]));
                }
                literals.add(row);
            }
        }
        return literals;
    }

    @Override
    public void columns(List<Column> columns) {
        results.add(new Result(columns, new ArrayList<>()));
    }

    @Override
    public void row(@Nullable Object[] values) {
        results.getLast().rows.add(values);
    }

    @Override
    public void info(Message message) {
        client.info(message);
    }

    @Override
    public void flush() {
        client.flush();
    }

    @Override
    public void error(Message message) {
        client.error(message);
    }

    @Override
    public void transactionBegan(long descriptor) {
        client.transactionBegan(descriptor);
    }

    @Override
    public void transactionCommitted(long descriptor) {
        client.transactionCommitted(descriptor);
    }

    @Override
    public void transactionRolledBack(long descriptor) {
        client.transactionRolledBack(descriptor);
    }

    @Override
    public void databaseChanged(String from, String to) {
        client.databaseChanged(from, to);
    }

    @Override
    public void languageChanged(String from, String to) {
        client.languageChanged(from, to);
    }
}
