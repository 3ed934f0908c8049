package dev.comporta.standin.engine.session;

import dev.comporta.standin.engine.Message;
import dev.comporta.standin.engine.Response;
import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.ast.Statement;
import dev.comporta.standin.engine.parse.Parser;
import dev.comporta.standin.engine.query.Rendered;
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
import org.jspecify.annotations.Nullable;

/** A session's state. Confined to the thread that runs its requests; others may cancel or read. */
public final class Session {
    private final Engine engine;
    private final Login login;
    private final String user;
    private final Language loginLanguage;
    private final Cancellation cancellation = new Cancellation();
    private final Executor executor;
    private final Transactions transactions;
    private final PreparedHandles<Prepared> prepared = new PreparedHandles<>(this, PreparedHandles.STATEMENTS);
    private final PreparedHandles<Prepared.Cursor> preparedCursors =
            new PreparedHandles<>(this, PreparedHandles.CURSORS);
    private final ApiCursors apiCursors = new ApiCursors();
    private final Map<String, DeclaredCursor> cursors = new HashMap<>();
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
    /** Babelfish accepts no bulk load in a session where one has failed, not even after a reset. */
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
    }

    public int spid() {
        return login.spid();
    }

    public String database() {
        return database;
    }

    public String language() {
        return options.language().name();
    }

    public boolean inTransaction() {
        return transactions.isOpen();
    }

    public void reset(boolean keepTransaction, Response response) {
        if (isBabelfish()) {
            transactions.hollowOut();
        } else if (!keepTransaction) {
            transactions.rollbackAll(response);
        }
        dropTables(tables);
        engine.appLocks().releaseAll(this, false);
        apiCursors.closeAll();
        cursors.clear();
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

    public void implicitAfterReset(boolean on) {
        implicitAfterReset = on;
    }

    public void cancel() {
        cancellation.cancel();
    }

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
            // H2 failed to close the connection; the session has ended nevertheless.
        }
    }

    /** Drops the temporary tables of a scope that ends. An open transaction holds locks on the tables that it has written. */
    public void dropTables(Map<String, Table> scope) {
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
     * Runs a step that uses H2, within the open transaction or as one of its own.
     *
     * @param opensImplicit whether it begins a transaction under IMPLICIT_TRANSACTIONS
     * @param usesH2 false if the step turned out not to need H2
     */
    public void touching(Frame frame, boolean opensImplicit, boolean usesH2, Runnable step) {
        if (opensImplicit && options.isOn(Options.Switch.IMPLICIT_TRANSACTIONS) && !transactions.isOpen()) {
            transactions.begin("", frame.output.response());
        }
        transactions.reads();
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

    /** Runs a query by {@link #touching}, and returns its number of rows. */
    public long query(Frame frame, Rendered rendered, Executor.Rows rows) {
        long[] count = new long[1];
        touching(
                frame,
                rendered.readsTable(),
                rendered.constants() == null,
                () -> count[0] = executor.query(rendered, rows, options.lockTimeout));
        return count[0];
    }

    public List<Statement> parse(String sql) {
        return Parser.batch(
                sql,
                options.isOn(Options.Switch.QUOTED_IDENTIFIER),
                engine.settings().habits());
    }

    public void use(String name, Output output, int line) {
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

    /** Changes the database during a call; the client gets no message. */
    public void switchDatabase(String name) {
        database = name;
    }

    public void setLanguage(Language language, Output output, int line) {
        String from = options.language().name();
        options.setLanguage(language);
        output.response().languageChanged(from, language.name());
        output.info(new Message(5703, 1, 0, "Changed language setting to " + language.name() + ".", "", line));
    }

    public void failBulk() {
        bulkFailed = true;
    }

    public boolean isBabelfish() {
        return engine.settings().habits().isBabelfish();
    }

    public boolean hasBulkFailed() {
        return bulkFailed;
    }

    public void expectBulk(Statement.InsertBulk statement) {
        bulk = statement;
    }

    /** Takes the INSERT BULK that preceded the rows; it is good for one load. */
    public Statement.@Nullable InsertBulk takeBulk() {
        Statement.InsertBulk statement = bulk;
        bulk = null;
        return statement;
    }

    public Engine engine() {
        return engine;
    }

    public Login login() {
        return login;
    }

    public String user() {
        return user;
    }

    public Cancellation cancellation() {
        return cancellation;
    }

    public Executor executor() {
        return executor;
    }

    public Transactions transactions() {
        return transactions;
    }

    public Options options() {
        return options;
    }

    /** Restores the options when a procedure ends. */
    public void restore(Options before) {
        options = before;
    }

    public PreparedHandles<Prepared> prepared() {
        return prepared;
    }

    public PreparedHandles<Prepared.Cursor> preparedCursors() {
        return preparedCursors;
    }

    public ApiCursors apiCursors() {
        return apiCursors;
    }

    public Map<String, DeclaredCursor> cursors() {
        return cursors;
    }

    public SessionValues values() {
        return values;
    }

    public Map<String, Table> tables() {
        return tables;
    }

    /** The temporary procedures, whose names begin with #. */
    public Map<String, Procedure> procedures() {
        return procedures;
    }

    public OffsetDateTime loginTime() {
        return loginTime;
    }

    public OffsetDateTime lastRequest() {
        return lastRequest;
    }

    public boolean busy() {
        return busy;
    }

    public void requestBegins(Response response) {
        busy = true;
        lastRequest = Conversion.now();
        cancellation.begin(response);
    }

    public void requestEnds() {
        cancellation.end();
        busy = false;
    }

    int preparedHandles() {
        return prepared.size() + preparedCursors.size();
    }

    int temporaryTables() {
        return tables.size();
    }
}
