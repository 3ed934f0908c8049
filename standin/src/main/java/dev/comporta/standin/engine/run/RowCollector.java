package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.Message;
import dev.comporta.standin.engine.Response;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.ast.Expr;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps a procedure's rows for INSERT … EXEC; messages and transactions still go to the client. */
final class RowCollector implements Response {
    private final Response client;
    private final List<List<Expr>> rows = new ArrayList<>();
    private List<Column> columns = List.of();

    RowCollector(Response client) {
        this.client = client;
    }

    List<List<Expr>> rows() {
        return rows;
    }

    @Override
    public void columns(List<Column> list) {
        columns = list;
    }

    @Override
    public void row(@Nullable Object[] values) {
        List<Expr> row = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            row.add(new Expr.Literal(columns.get(i).type(), values[i]));
        }
        rows.add(row);
    }

    @Override
    public void info(Message message) {
        client.info(message);
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

    @Override
    public void returnStatus(int status) {}

    @Override
    public void returnValue(String name, SqlType type, @Nullable Object value) {}

    @Override
    public void done(Done kind, int command, long rowCount, boolean error) {}
}
