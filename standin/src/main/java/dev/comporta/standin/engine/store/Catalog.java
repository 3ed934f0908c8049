package dev.comporta.standin.engine.store;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The databases of one server, and its numbering: object ids, row versions. Any thread. */
public final class Catalog {
    /** The user's databases come after master, tempdb, model and msdb. */
    private final AtomicInteger nextDatabaseId = new AtomicInteger(1);

    // SQL Server's own objects have lower ids.
    private final AtomicInteger nextObjectId = new AtomicInteger(100_000);
    private final AtomicLong rowVersion = new AtomicLong(2000);
    private final Map<String, Database> databases = new ConcurrentHashMap<>();

    public Catalog() {
        create("master");
        create("tempdb");
        create("model");
        create("msdb");
    }

    public @Nullable Database database(String name) {
        return databases.get(name.toLowerCase(Locale.ROOT));
    }

    public @Nullable Database database(int id) {
        for (Database database : databases.values()) {
            if (database.id() == id) {
                return database;
            }
        }
        return null;
    }

    public Database require(String name) {
        Database database = database(name);
        if (database == null) {
            throw new IllegalStateException("no database " + name);
        }
        return database;
    }

    public List<Database> databases() {
        return databases.values().stream()
                .sorted(Comparator.comparingInt(Database::id))
                .toList();
    }

    public synchronized Database create(String name) {
        return databases.computeIfAbsent(
                name.toLowerCase(Locale.ROOT), key -> new Database(nextDatabaseId.getAndIncrement(), name));
    }

    public void drop(Database database) {
        databases.remove(database.name().toLowerCase(Locale.ROOT));
    }

    public int newObjectId() {
        return nextObjectId.incrementAndGet();
    }

    public long nextRowVersion() {
        return rowVersion.incrementAndGet();
    }

    public long lastRowVersion() {
        return rowVersion.get();
    }

    public @Nullable Table tableById(int id) {
        for (Database database : databases.values()) {
            for (Table table : database.tables()) {
                if (table.id() == id) {
                    return table;
                }
            }
        }
        return null;
    }
}
