package dev.comporta.standin;

import dev.comporta.standin.engine.EngineSession;
import dev.comporta.standin.engine.Message;
import dev.comporta.standin.engine.Response;
import dev.comporta.standin.engine.run.SessionRequests;
import dev.comporta.standin.engine.session.Engine;
import dev.comporta.standin.engine.session.Login;
import java.time.LocalDate;
import java.util.Locale;

/**
 * A small shop for demonstrations: {@code customers}, {@code orders}, and the procedure {@code orders_of}. The rows are the
 * same every time.
 */
public final class SampleDatabase {
    public static final int CUSTOMERS = 60;
    public static final int ORDERS_PER_CUSTOMER = 5;

    /** A session number that no client gets. */
    private static final int SPID = 50;

    private static final String[] FIRST_NAMES = {
        "Ana", "Bruno", "Carla", "Duarte", "Eva", "Filipe", "Gil", "Helena", "Inês", "João", "Leonor", "Miguel"
    };
    private static final String[] LAST_NAMES = {"Almeida", "Barros", "Costa", "Dias", "Esteves"};
    private static final String[] CITIES = {"Lisboa", "Porto", "Coimbra", "Comporta", "Évora", "Faro", "Setúbal"};
    private static final LocalDate FIRST_DAY = LocalDate.of(2026, 1, 1);

    private SampleDatabase() {}

    /** Fills an existing, empty database. */
    public static void load(Engine engine, String user, String password, String database) {
        try (EngineSession session = new SessionRequests(engine.login(Login.of(SPID, user, password, database)))) {
            run(session, """
                    CREATE TABLE customers (
                        id INT NOT NULL PRIMARY KEY,
                        name NVARCHAR(100) NOT NULL,
                        city NVARCHAR(50) NULL,
                        since DATE NOT NULL)""");
            run(session, """
                    CREATE TABLE orders (
                        id INT IDENTITY(1,1) NOT NULL PRIMARY KEY,
                        customer_id INT NOT NULL,
                        amount DECIMAL(10,2) NOT NULL,
                        ordered DATETIME2(0) NOT NULL,
                        note NVARCHAR(200) NULL)""");
            for (int customer = 1; customer <= CUSTOMERS; customer++) {
                addCustomer(session, customer);
            }
            run(session, """
                    CREATE PROCEDURE orders_of @customer INT, @total DECIMAL(10,2) OUTPUT AS
                    BEGIN
                        SET NOCOUNT ON;
                        SELECT @total = SUM(amount) FROM orders WHERE customer_id = @customer;
                        SELECT id, amount, ordered FROM orders WHERE customer_id = @customer ORDER BY id;
                    END""");
        }
    }

    private static void addCustomer(EngineSession session, int id) {
        String name = FIRST_NAMES[id % FIRST_NAMES.length] + " " + LAST_NAMES[id % LAST_NAMES.length];
        String city = id % 10 == 0 ? "NULL" : "N'" + CITIES[id % CITIES.length] + "'";
        StringBuilder sql = new StringBuilder();
        sql.append("INSERT INTO customers (id, name, city, since) VALUES (%d, N'%s', %s, '%s');\n"
                .formatted(id, name, city, FIRST_DAY.minusDays(id)));
        for (int order = 1; order <= ORDERS_PER_CUSTOMER; order++) {
            String amount = String.format(Locale.ROOT, "%d.%02d", 10 + id * order % 490, id * 7 % 100);
            String note = order % 2 == 0 ? "NULL" : "N'order " + order + " of " + name + "'";
            sql.append("INSERT INTO orders (customer_id, amount, ordered, note) VALUES (%d, %s, '%sT%02d:30:00', %s);\n"
                    .formatted(id, amount, FIRST_DAY.plusDays(id * 3L + order), 8 + order, note));
        }
        run(session, sql.toString());
    }

    private static void run(EngineSession session, String sql) {
        session.batch(sql, new FailOnError());
    }

    /** Ignores the results; an error in the sample is a bug. */
    private static final class FailOnError implements Response {
        @Override
        public void error(Message message) {
            throw new IllegalStateException("the sample database failed: " + message);
        }
    }
}
