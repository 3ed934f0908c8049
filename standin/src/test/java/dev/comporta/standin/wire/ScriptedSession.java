package dev.comporta.standin.wire;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.EngineSession;
import dev.comporta.standin.engine.Message;
import dev.comporta.standin.engine.RequestCancelled;
import dev.comporta.standin.engine.Response;
import dev.comporta.standin.engine.SqlType;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An engine that answers a handful of scripted texts, so that the wire can be tested without the real one. Any other text
 * is answered with a plain DONE.
 */
final class ScriptedSession implements EngineSession {
    private static final SqlType INT = new SqlType(SqlType.Name.INT, 0, 0, 0);
    private static final SqlType TEXT = new SqlType(SqlType.Name.NVARCHAR, 4000, 0, 0);
    private static final Pattern ROWS = Pattern.compile("rows (\\d+)");

    final List<String> heard = new CopyOnWriteArrayList<>();
    final CountDownLatch waiting = new CountDownLatch(1);
    final CountDownLatch closed = new CountDownLatch(1);
    /** Closing waits for it: a rollback takes time. */
    volatile CountDownLatch mayClose = new CountDownLatch(0);

    volatile int rowsSent;
    private final int spid;
    private final String database;
    private volatile CountDownLatch cancelled = new CountDownLatch(1);
    private long transaction;
    private long lastTransaction = 0x11;

    ScriptedSession(int spid, String database) {
        this.spid = spid;
        this.database = database;
    }

    @Override
    public int spid() {
        return spid;
    }

    @Override
    public String database() {
        return database;
    }

    @Override
    public String language() {
        return "us_english";
    }

    @Override
    public boolean inTransaction() {
        return transaction != 0;
    }

    @Override
    public void batch(String sql, Response response) {
        heard.add(sql);
        Matcher rows = ROWS.matcher(sql);
        switch (sql) {
            case "SELECT 1" -> result(response, 1, Response.Done.DONE);
            case "SELECT @@SPID" -> {
                response.columns(List.of(new Column("", INT, false, false)));
                response.row(new Object[] {spid});
                response.done(Response.Done.DONE, 0xC1, 1, false);
            }
            case "two" -> {
                result(response, 1, Response.Done.DONE);
                response.info(new Message(0, 1, 0, "between", "", 1));
                result(response, 2, Response.Done.DONE);
            }
            case "wait" -> waitForCancel();
            case "flush and wait" -> {
                result(response, 1, Response.Done.DONE);
                response.info(new Message(0, 1, 0, "now", "", 1));
                response.flush();
                waitForCancel();
            }
            case "fail" -> error(response, 208, 16);
            case "die" -> error(response, 824, 24);
            case "bug" -> throw new IllegalStateException("on purpose");
            case "begin" -> {
                transaction = ++lastTransaction;
                response.transactionBegan(transaction);
                response.done(Response.Done.DONE, 0xD4, Response.NO_COUNT, false);
            }
            case "commit" -> {
                response.transactionCommitted(transaction);
                transaction = 0;
                response.done(Response.Done.DONE, 0xD5, Response.NO_COUNT, false);
            }
            default -> {
                if (sql.startsWith("SELECT @@MAX_PRECISION")) { // what jTDS begins with
                    result(response, 1, Response.Done.DONE);
                } else if (rows.matches()) {
                    result(response, Integer.parseInt(rows.group(1)), Response.Done.DONE);
                } else {
                    response.done(Response.Done.DONE, 0, Response.NO_COUNT, false);
                }
            }
        }
    }

    private void result(Response response, int rows, Response.Done done) {
        response.columns(List.of(new Column("n", INT, true, false), new Column("text", TEXT, true, false)));
        for (int i = 1; i <= rows; i++) {
            response.row(new Object[] {i, i % 3 == 0 ? null : "row " + i});
            rowsSent = i;
        }
        response.done(done, 0xC1, rows, false);
    }

    private static void error(Response response, int number, int severity) {
        response.error(new Message(number, 1, severity, "error " + number, "", 7));
        response.done(Response.Done.DONE, 0, Response.NO_COUNT, true);
    }

    private void waitForCancel() {
        waiting.countDown();
        try {
            cancelled.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        cancelled = new CountDownLatch(1);
        throw new RequestCancelled();
    }

    @Override
    public void call(String procedure, List<Parameter> parameters, Response response) {
        heard.add(procedure + parameters);
        if (procedure.equals("answer")) {
            response.returnStatus(7);
            for (Parameter parameter : parameters) {
                if (parameter.output()) {
                    response.returnValue(parameters.indexOf(parameter), parameter.name(), parameter.type(), 42);
                }
            }
        } else {
            result(response, 1, Response.Done.DONEINPROC);
            response.returnStatus(0);
        }
        response.done(Response.Done.DONEPROC, 0xE0, Response.NO_COUNT, false);
    }

    @Override
    public void transaction(TransactionRequest request, Response response) {
        heard.add(request.toString());
        response.done(Response.Done.DONE, 0, Response.NO_COUNT, false);
    }

    @Override
    public BulkInsert bulk(Response response) {
        return new BulkInsert() {
            private long rows;

            @Override
            public List<Column> columns() {
                return List.of(new Column("n", INT, true, false));
            }

            @Override
            public void row(Object[] values) {
                rows++;
            }

            @Override
            public void end() {
                response.done(Response.Done.DONE, 0xF0, rows, false);
            }
        };
    }

    @Override
    public void reset(boolean keepTransaction, Response response) {
        heard.add("reset " + keepTransaction);
    }

    @Override
    public void cancel() {
        cancelled.countDown();
    }

    @Override
    public void close() {
        try {
            mayClose.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        closed.countDown();
    }
}
