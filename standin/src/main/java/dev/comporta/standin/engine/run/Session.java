package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.EngineSession;
import dev.comporta.standin.engine.Message;
import dev.comporta.standin.engine.RequestCancelled;
import dev.comporta.standin.engine.Response;
import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.ast.Statement;
import dev.comporta.standin.engine.parse.Parser;
import dev.comporta.standin.engine.store.Database;
import dev.comporta.standin.engine.store.Procedure;
import dev.comporta.standin.engine.store.Table;
import dev.comporta.standin.engine.type.Conversion;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A session's state, and its requests from begin to end. One thread runs its requests; others may cancel or look. */
public final class Session implements EngineSession {
    private final Engine engine;
    private final Login login;
    private final String user;
    private final Language loginLanguage;
    private final Cancellation cancellation = new Cancellation();
    private final Executor executor;
    private final Transactions transactions;
    private final Interpreter interpreter;
    private final PreparedHandles<Prepared> prepared = new PreparedHandles<>(this, PreparedHandles.STATEMENTS);
    private final PreparedHandles<Prepared.Cursor> preparedCursors =
            new PreparedHandles<>(this, PreparedHandles.CURSORS);
    private final ApiCursors apiCursors = new ApiCursors();
    private final SessionValues values = new SessionValues();
    private final Map<String, Table> tables = new LinkedHashMap<>();
    private final Map<String, Procedure> procedures = new HashMap<>();
    private final OffsetDateTime loginTime = Conversion.now();
    private final String loginDatabase;
    private volatile Options options;
    private volatile String database;
    private volatile boolean busy;
    private volatile OffsetDateTime lastRequest = loginTime;
    private Statement.@Nullable InsertBulk bulk;
    /** Babelfish takes no more bulk loads in a session where one has failed, whatever happens to the session. */
    private boolean bulkFailed;

    /** Babelfish's reset turns implicit transactions on after SET ANSI_DEFAULTS, ON or OFF, until they are set by name. */
    private boolean implicitAfterReset;

    private boolean closed;

    Session(Engine engine, Login login, String user, String database, Language language) {
        this.engine = engine;
        this.login = login;
        this.user = user;
        this.database = database;
        this.loginDatabase = database;
        this.loginLanguage = language;
        this.options = Options.atLogin(login.odbc(), language);
        try {
            this.executor = new Executor(engine.h2().connect(), engine.errors(), cancellation);
        } catch (SQLException e) {
            throw new IllegalStateException("H2 gives no connection", e);
        }
        this.transactions = new Transactions(
                executor, engine.transactionDescriptors(), engine.settings().habits());
        this.interpreter = new Interpreter(this);
    }

    @Override
    public int spid() {
        return login.spid();
    }

    @Override
    public String database() {
        return database;
    }

    @Override
    public String language() {
        return options.language().name();
    }

    @Override
    public boolean inTransaction() {
        return transactions.isOpen();
    }

    @Override
    public void batch(String sql, Response response) {
        request(response, output -> {
            Frame frame = Frame.batch(output);
            try {
                interpreter.runBatch(sql, frame);
            } finally {
                output.endBatch();
            }
        });
    }

    @Override
    public void call(String procedure, List<Parameter> parameters, Response response) {
        request(response, output -> new RpcCall(this, interpreter).run(procedure, parameters, output));
    }

    @Override
    public void transaction(TransactionRequest request, Response response) {
        request(response, output -> {
            boolean failed = false;
            try {
                TransactionRequests.run(request, transactions, response);
            } catch (SqlError e) {
                failed = true;
                output.error(e.at(1));
            }
            if (isBabelfish()) {
                output.done(Response.Done.DONE, Command.OF_BABELFISH, Response.NO_COUNT, failed);
                TransactionRequests.tellAsBabelfish(request, transactions, executor, response);
                failed = false;
            }
            output.done(Response.Done.DONE, 0, Response.NO_COUNT, failed);
        });
    }

    @Override
    public BulkInsert bulk(Response response) {
        Statement.InsertBulk statement = bulk;
        bulk = null;
        return new BulkRows(this, statement, response, isBabelfish() && bulkFailed);
    }

    /** What every request has around it: it can be cancelled, and a cancel under XACT_ABORT rolls back. */
    private void request(Response response, Consumer<Output> work) {
        busy = true;
        lastRequest = Conversion.now();
        cancellation.begin(response);
        try {
            work.accept(new Output(response));
        } catch (RequestCancelled e) {
            if (!transactions.isOpen()) {
                transactions.autorollback();
            } else if (options.isOn(Options.Switch.XACT_ABORT)) {
                transactions.rollbackAll(null);
            }
            throw e;
        } finally {
            cancellation.end();
            busy = false;
        }
    }

    @Override
    public void reset(boolean keepTransaction, Response response) {
        if (isBabelfish()) {
            transactions.hollowOut();
        } else if (!keepTransaction) {
            transactions.rollbackAll(response);
        }
        dropTables(tables);
        engine.appLocks().releaseAll(this, false);
        apiCursors.closeAll();
        interpreter.cursors().closeAll();
        prepared.clear();
        preparedCursors.clear();
        procedures.clear();
        values.reset(isBabelfish());
        bulk = null;
        options = Options.atLogin(login.odbc(), loginLanguage);
        if (!isBabelfish()) {
            database = loginDatabase;
        } else if (implicitAfterReset) {
            options.set(Options.Switch.IMPLICIT_TRANSACTIONS, true);
        }
    }

    void implicitAfterReset(boolean on) {
        implicitAfterReset = on;
    }

    @Override
    public void cancel() {
        cancellation.cancel();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        boolean rolledBack = transactions.isOpen();
        transactions.rollbackAll(null);
        dropTables(tables);
        engine.appLocks().releaseAll(this, false);
        engine.closed(this, rolledBack);
        try {
            executor.connection().close();
        } catch (SQLException e) {
            // Whatever H2 says, the session is over.
        }
    }

    /** Drops the temporary tables of a scope that ends. An open transaction holds locks on what it has written to. */
    void dropTables(Map<String, Table> scope) {
        for (Table table : List.copyOf(scope.values())) {
            engine.catalog().require("tempdb").remove(table);
            if (transactions.isOpen()) {
                transactions.atEnd(() -> engine.discard(table));
            } else {
                executor.rollback();
                engine.discard(table);
            }
        }
        scope.clear();
    }

    /**
     * Runs a step that uses H2 as a part of the open transaction, or as one of its own.
     *
     * @param opensImplicit whether it is of the kind that begins a transaction under IMPLICIT_TRANSACTIONS
     * @param usesH2 false when the step turned out not to need H2
     */
    void touching(Frame frame, boolean opensImplicit, boolean usesH2, Runnable step) {
        if (opensImplicit && options.isOn(Options.Switch.IMPLICIT_TRANSACTIONS) && !transactions.isOpen()) {
            transactions.begin("", frame.output().response());
        }
        if (!usesH2) {
            step.run();
            return;
        }
        transactions.applyIsolation();
        try {
            step.run();
        } catch (RuntimeException e) {
            transactions.autorollback();
            throw e;
        }
        transactions.autocommit();
    }

    List<Statement> parse(String sql) {
        return Parser.batch(
                sql,
                options.isOn(Options.Switch.QUOTED_IDENTIFIER),
                engine.settings().habits());
    }

    void use(String name, Output output, int line) {
        Database found = engine.catalog().database(name);
        if (found == null) {
            String text = "Database '" + name + "' does not exist. Make sure that the name is entered correctly.";
            throw SqlError.statement(911, 16, 1, text);
        }
        String from = database;
        database = found.name();
        if (!from.equals(database)) {
            output.response().databaseChanged(from, database);
        }
        String text = "Changed database context to '" + database + "'.";
        output.info(isBabelfish() ? new Message(0, 1, 0, text, "", 0) : new Message(5701, 2, 0, text, "", line));
    }

    /** For the time of a call; the client is not told. */
    void switchDatabase(String name) {
        database = name;
    }

    void setLanguage(Language language, Output output, int line) {
        String from = options.language().name();
        options.setLanguage(language);
        output.response().languageChanged(from, language.name());
        output.info(new Message(5703, 1, 0, "Changed language setting to " + language.name() + ".", "", line));
    }

    void bulkFailed() {
        bulkFailed = true;
    }

    boolean isBabelfish() {
        return engine.settings().habits().isBabelfish();
    }

    void expectBulk(Statement.InsertBulk statement) {
        bulk = statement;
    }

    Engine engine() {
        return engine;
    }

    Login login() {
        return login;
    }

    String user() {
        return user;
    }

    Cancellation cancellation() {
        return cancellation;
    }

    Executor executor() {
        return executor;
    }

    Transactions transactions() {
        return transactions;
    }

    Options options() {
        return options;
    }

    /** Options set in a procedure end with it. */
    void restore(Options before) {
        options = before;
    }

    PreparedHandles<Prepared> prepared() {
        return prepared;
    }

    PreparedHandles<Prepared.Cursor> preparedCursors() {
        return preparedCursors;
    }

    ApiCursors apiCursors() {
        return apiCursors;
    }

    SessionValues values() {
        return values;
    }

    Map<String, Table> tables() {
        return tables;
    }

    /** The temporary procedures, whose names begin with #. */
    Map<String, Procedure> procedures() {
        return procedures;
    }

    OffsetDateTime loginTime() {
        return loginTime;
    }

    OffsetDateTime lastRequest() {
        return lastRequest;
    }

    boolean busy() {
        return busy;
    }

    int preparedHandles() {
        return prepared.size() + preparedCursors.size();
    }

    int temporaryTables() {
        return tables.size();
    }
}
