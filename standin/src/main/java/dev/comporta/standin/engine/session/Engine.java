package dev.comporta.standin.engine.session;

import dev.comporta.standin.engine.HandleCounts;
import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.query.H2Functions;
import dev.comporta.standin.engine.store.Catalog;
import dev.comporta.standin.engine.store.H2Database;
import dev.comporta.standin.engine.store.H2Errors;
import dev.comporta.standin.engine.store.Table;
import dev.comporta.standin.engine.type.Conversion;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** One server: its databases, logins, procedures and sessions. Any thread. Several in one JVM are independent. */
public final class Engine implements AutoCloseable {
    private record Account(String name, String password, String database) {}

    private final EngineSettings settings;
    private final Catalog catalog = new Catalog();
    private final H2Database h2 = new H2Database(H2Functions.definitions());
    private final H2Errors errors = new H2Errors(catalog);
    private final Map<String, Account> accounts = new ConcurrentHashMap<>();
    private final Map<String, JavaProcedure> procedures = new ConcurrentHashMap<>();
    private final Map<Integer, Session> sessions = new ConcurrentHashMap<>();
    private final AppLocks appLocks = new AppLocks();
    private final AtomicLong transactionDescriptors = new AtomicLong(0x1_0000_0000L);
    private final AtomicLong rollbacksAtClose = new AtomicLong();
    private final HandleTally handles = new HandleTally();
    private final OffsetDateTime started = Conversion.now();

    public Engine(EngineSettings settings) {
        this.settings = settings;
    }

    public EngineSettings settings() {
        return settings;
    }

    public void createDatabase(String name) {
        catalog.create(name);
    }

    /** Adds an account. Its default database must exist. */
    public void createLogin(String name, String password, String defaultDatabase) {
        catalog.require(defaultDatabase);
        accounts.put(name.toLowerCase(Locale.ROOT), new Account(name, password, defaultDatabase));
    }

    /** Makes a Java procedure callable by its name alone, with or without dbo, in every database. */
    public void registerProcedure(String name, JavaProcedure procedure) {
        procedures.put(name.toLowerCase(Locale.ROOT), procedure);
    }

    /**
     * Logs a client in.
     *
     * @throws SqlError 18456 for a wrong name or password, 4060 for a database that does not exist
     */
    public Session login(Login login) {
        Account account = accounts.get(login.user().toLowerCase(Locale.ROOT));
        if (account == null || !matches(account.password, login.password())) {
            throw loginFailed(login.user(), account == null ? 5 : 8);
        }
        String database = login.database().isEmpty() ? account.database : login.database();
        var found = catalog.database(database);
        if (found == null) {
            String text = "Cannot open database \"" + database + "\" requested by the login. The login failed.";
            throw new SqlError(4060, 11, 1, SqlError.Effect.BATCH, text).at(1);
        }
        Language language = Language.named(login.language());
        Session session =
                new Session(this, login, account.name, found.name(), language == null ? Language.US_ENGLISH : language);
        sessions.put(login.spid(), session);
        return session;
    }

    private static boolean matches(String expected, String given) {
        return MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }

    private static SqlError loginFailed(String user, int state) {
        String text = "Login failed for user '" + user + "'.";
        return new SqlError(18456, 14, state, SqlError.Effect.BATCH, text).at(1);
    }

    void closed(Session session, boolean rolledBack) {
        sessions.remove(session.spid(), session);
        if (rolledBack) {
            rollbacksAtClose.incrementAndGet();
        }
    }

    public Catalog catalog() {
        return catalog;
    }

    public H2Database h2() {
        return h2;
    }

    public H2Errors errors() {
        return errors;
    }

    public AppLocks appLocks() {
        return appLocks;
    }

    AtomicLong transactionDescriptors() {
        return transactionDescriptors;
    }

    public OffsetDateTime started() {
        return started;
    }

    @Nullable
    public JavaProcedure procedure(String name) {
        return procedures.get(name.toLowerCase(Locale.ROOT));
    }

    public List<Session> sessions() {
        return List.copyOf(sessions.values());
    }

    public int openSessions() {
        return sessions.size();
    }

    public int openTransactions() {
        return (int) sessions.values().stream().filter(Session::inTransaction).count();
    }

    /** Counts the sessions that were closed with a transaction open. */
    public long rollbacksAtClose() {
        return rollbacksAtClose.get();
    }

    HandleTally handleTally() {
        return handles;
    }

    public HandleCounts handles() {
        return handles.counts();
    }

    public int preparedHandles() {
        return sessions.values().stream().mapToInt(Session::preparedHandles).sum();
    }

    public int temporaryTables() {
        return sessions.values().stream().mapToInt(Session::temporaryTables).sum();
    }

    public int appLocksHeld() {
        return appLocks.held();
    }

    /** Runs DDL in H2, outside of every session's transaction. */
    public void define(String sql) {
        try {
            h2.define(sql);
        } catch (SQLException e) {
            throw errors.translate(e, "DDL", null);
        }
    }

    /** Drops a table that no session can name any more. Another session's transaction may keep its rows a while. */
    public void discard(Table table) {
        try {
            h2.define("DROP TABLE IF EXISTS " + table.h2Name() + " CASCADE");
        } catch (SQLException e) {
            if (!H2Errors.isLockWait(e)) {
                throw errors.translate(e, "DROP TABLE", table);
            }
        }
    }

    @Override
    public void close() {
        sessions().forEach(Session::close);
        h2.close();
    }
}
