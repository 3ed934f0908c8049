package dev.comporta.testkit.crosstalk;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * A client that knows what its session must look like, does something at random, and then checks that it still does. Some
 * actions pin it to its server connection; it unpins itself at once, so that it can't starve the others.
 */
public final class Stranger {
    /** Makes the tables in AppDB that all strangers share: each has its own rows in the one, and reads the other. */
    public static final List<String> TABLES = List.of(
            "CREATE TABLE ledger (client INT NOT NULL, entry INT NOT NULL PRIMARY KEY)",
            "CREATE TABLE ten (n INT NOT NULL PRIMARY KEY)",
            "INSERT INTO ten VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10)");

    private static final int NOCOUNT = 512;
    private static final int XACT_ABORT = 16_384;
    private static final int ENTRIES = 1_000_000;
    private static final int ROWS = 10;
    private static final int MISSING_OBJECT = 208;

    public final int id;

    private final String driver;
    private final long seed;
    private final Random random;
    private final DriverSession session;
    private final Picture asLoggedIn;

    private Picture picture;
    private int rowCount;
    private int entries;
    private int committed;
    private int rounds;
    private volatile String doing = "";

    /** @param asLoggedIn what a session of this driver looks like when nobody has touched it */
    public Stranger(int id, String driver, long seed, DriverSession session, Picture asLoggedIn) {
        this.id = id;
        this.driver = driver;
        this.seed = seed;
        this.random = new Random(seed);
        this.session = session;
        this.asLoggedIn = asLoggedIn;
        this.picture = asLoggedIn.copy();
    }

    /** @return how many things it has done */
    public int live(BooleanSupplier goOn) throws Exception {
        try {
            connect();
            look();
            while (goOn.getAsBoolean()) {
                act();
                look();
                rounds++;
            }
            close();
            return rounds;
        } catch (Exception | AssertionError e) {
            throw new AssertionError(this + ": " + e.getMessage(), e);
        }
    }

    /** The number of this client's entries that the ledger must have. */
    public int committed() {
        return committed;
    }

    @Override
    public String toString() {
        return "client %d (%s, seed %d, round %d, doing: %s)".formatted(id, driver, seed, rounds, doing);
    }

    private void connect() throws Exception {
        doing = "connect";
        picture = asLoggedIn.copy();
        rowCount = 0;
        session.connect();
    }

    private void close() throws Exception {
        doing = "close";
        session.close();
    }

    private String ask(String sql) throws Exception {
        doing = sql;
        return session.ask(sql);
    }

    private void expect(String sql, Object expected) throws Exception {
        check(sql, ask(sql), expected);
    }

    private void check(String what, String found, Object expected) {
        if (!found.equals(expected.toString())) {
            throw new AssertionError("%nexpected %s%nbut saw  %s%nof       %s".formatted(expected, found, what));
        }
    }

    private void look() throws Exception {
        expect(Picture.LOOK, picture);
        int seen = rowCount == 0 ? ROWS : Math.min(rowCount, ROWS);
        expect("SELECT n FROM AppDB.dbo.ten ORDER BY n", numbers(seen));
    }

    private static String numbers(int count) {
        return String.join(
                ",", IntStream.rangeClosed(1, count).mapToObj(String::valueOf).toList());
    }

    private void act() throws Exception {
        switch (random.nextInt(18)) {
            case 0, 1 -> ask(setting());
            case 2 -> ask(setting() + "; " + setting() + "; " + setting());
            case 3 -> ask(database());
            case 4 -> ask(isolation());
            case 5, 6 -> transact();
            case 7 -> cancel();
            case 8 -> cancelInTransaction();
            case 9 -> useTemporaryTable();
            case 10 -> useSessionContext();
            case 11 -> useContextInfo();
            case 12 -> lockForSession();
            case 13 -> usePrepared();
            case 14 -> fail();
            case 15 -> dieInTransaction();
            case 16 -> dieWhileRunning();
            default -> reset();
        }
    }

    private String setting() {
        return switch (random.nextInt(8)) {
            case 0 -> set("DATEFIRST", 1 + random.nextInt(7));
            case 1 -> set("LOCK_TIMEOUT", 60_000 + random.nextInt(1_000));
            case 2 -> set("TEXTSIZE", 10_000 + random.nextInt(1_000));
            case 3 -> set("DEADLOCK_PRIORITY", random.nextInt(21) - 10);
            case 4 -> set("DATEFORMAT", List.of("mdy", "dmy", "ymd").get(random.nextInt(3)));
            case 5 -> language();
            case 6 -> {
                rowCount = random.nextInt(ROWS);
                yield "SET ROWCOUNT " + rowCount;
            }
            default -> random.nextBoolean() ? turn("NOCOUNT", NOCOUNT) : turn("XACT_ABORT", XACT_ABORT);
        };
    }

    private String set(String name, Object value) {
        picture.set(name, value);
        return "SET " + name + " " + value;
    }

    private String turn(String name, int bit) {
        boolean on = random.nextBoolean();
        picture.set(bit, on);
        return "SET " + name + (on ? " ON" : " OFF");
    }

    /** SET LANGUAGE sets DATEFIRST and DATEFORMAT as well, unless the language is in force already. */
    private String language() {
        boolean american = random.nextBoolean();
        String language =
                american ? "us_english" : List.of("Deutsch", "Italiano").get(random.nextInt(2));
        if (!picture.has("LANGUAGE", language)) {
            picture.set("DATEFIRST", american ? 7 : 1);
            picture.set("DATEFORMAT", american ? "mdy" : "dmy");
        }
        return set("LANGUAGE", language);
    }

    private String database() {
        String database = random.nextBoolean() ? "AppDB" : "Other";
        picture.set("database", database);
        return "USE " + database;
    }

    private String isolation() {
        int level = 1 + random.nextInt(4);
        picture.set("level", level);
        return "SET TRANSACTION ISOLATION LEVEL "
                + List.of("READ UNCOMMITTED", "READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE")
                        .get(level - 1);
    }

    private void transact() throws Exception {
        boolean byDriver = random.nextBoolean();
        begin(byDriver);
        insert();
        if (random.nextBoolean()) {
            lock("Transaction");
        }
        expectEntries(committed + 1);
        end(byDriver, random.nextBoolean());
        expectEntries(committed);
    }

    private void begin(boolean byDriver) throws Exception {
        if (byDriver) {
            doing = "begin";
            session.begin();
        } else {
            ask("BEGIN TRANSACTION");
        }
    }

    private void end(boolean byDriver, boolean commit) throws Exception {
        if (!byDriver) {
            ask(commit ? "COMMIT" : "ROLLBACK");
        } else if (commit) {
            doing = "commit";
            session.commit();
        } else {
            doing = "rollback";
            session.rollback();
        }
        if (commit) {
            committed++;
        }
    }

    private void insert() throws Exception {
        ask("INSERT INTO AppDB.dbo.ledger VALUES (" + id + ", " + (id * ENTRIES + entries++) + ")");
    }

    private void expectEntries(int count) throws Exception {
        expect("SELECT COUNT(*) FROM AppDB.dbo.ledger WHERE client = " + id, count);
    }

    /** Asks for an application lock, which one client at a time can hold until its transaction or its session ends. */
    private void lock(String owner) throws Exception {
        String lock = "gate " + random.nextInt(3);
        String got = ask("DECLARE @got INT; EXEC @got = sp_getapplock N'%s', 'Exclusive', '%s', 0; SELECT @got"
                .formatted(lock, owner));
        expect(
                "SELECT APPLOCK_MODE('public', '%s', '%s')".formatted(lock, owner),
                got.equals("0") ? "Exclusive" : "NoLock");
    }

    private void lockForSession() throws Exception {
        lock("Session");
        leave();
    }

    private void cancel() throws Exception {
        String waiting =
                "SELECT " + id + "; RAISERROR('wait', 0, 1) WITH NOWAIT; WAITFOR DELAY '00:00:00.050'; SELECT " + id;
        doing = waiting + " (and cancel)";
        for (String value : session.askAndCancel(waiting, random.nextInt(60)).split(",", -1)) {
            if (!value.isEmpty()) {
                check(waiting, value, id);
            }
        }
    }

    private void cancelInTransaction() throws Exception {
        if (picture.isOn(XACT_ABORT)) {
            return; // then a cancelled request ends the transaction, if it was not too late to cancel it
        }
        boolean byDriver = random.nextBoolean();
        begin(byDriver);
        insert();
        cancel();
        expectEntries(committed + 1);
        end(byDriver, random.nextBoolean());
    }

    private void useTemporaryTable() throws Exception {
        ask("CREATE TABLE #mine (id INT)");
        ask("INSERT INTO #mine VALUES (" + id + ")");
        expect("SELECT id FROM #mine", id);
        leave();
        expectError("SELECT id FROM #mine", MISSING_OBJECT);
    }

    private void useSessionContext() throws Exception {
        ask("EXEC sp_set_session_context N'who', N'" + id + "'");
        picture.set("context", id);
        look();
        leave();
    }

    private void useContextInfo() throws Exception {
        ask("SET CONTEXT_INFO 0x%08X".formatted(id));
        picture.set("info", id);
        look();
        leave();
    }

    private void usePrepared() throws Exception {
        List<Integer> values = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(5); i++) {
            values.add(id * ENTRIES + i);
        }
        String sql = "SELECT ?";
        doing = sql + " prepared, with " + values;
        String found = session.askPrepared(sql, values);
        check(
                doing,
                found,
                String.join(",", values.stream().map(String::valueOf).toList()));
        if (random.nextBoolean()) {
            leave();
        }
    }

    private void fail() throws Exception {
        expectError("SELECT n FROM AppDB.dbo.nothing_" + id, MISSING_OBJECT);
    }

    private void expectError(String sql, int number) throws Exception {
        try {
            check(sql, ask(sql), "error " + number);
        } catch (ServerError e) {
            if (e.number() != number) {
                throw e;
            }
        }
    }

    private void dieInTransaction() throws Exception {
        begin(random.nextBoolean());
        insert();
        die();
    }

    private void dieWhileRunning() throws Exception {
        boolean inTransaction = random.nextBoolean();
        if (!session.diesAtOnce()) {
            return;
        }
        if (inTransaction) {
            begin(false);
            insert();
        }
        CompletableFuture<Void> running = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                session.ask("WAITFOR DELAY '00:00:00.050'; SELECT " + id);
            } catch (Exception e) {
                // Its connection was closed, or it had ended before.
            } finally {
                running.complete(null);
            }
        });
        doing = "die";
        CompletableFuture.supplyAsync(
                        () -> "", CompletableFuture.delayedExecutor(random.nextInt(60), TimeUnit.MILLISECONDS))
                .join();
        session.die();
        doing = "hear that its request has died";
        running.join();
        connect();
    }

    private void die() throws Exception {
        doing = "die";
        session.die();
        connect();
    }

    /** Removes a pin that lasts as long as the session: it dies, is reset, or logs out and in again. */
    private void leave() throws Exception {
        switch (random.nextInt(3)) {
            case 0 -> die();
            case 1 -> reset();
            default -> {
                close();
                connect();
            }
        }
    }

    private void reset() throws Exception {
        doing = "reset";
        picture = asLoggedIn.copy();
        rowCount = 0;
        session.reset();
    }
}
