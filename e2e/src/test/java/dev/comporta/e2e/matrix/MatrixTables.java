package dev.comporta.e2e.matrix;

import dev.comporta.e2e.Target;
import dev.comporta.testkit.Jdbc;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The tables that the scenarios use, made and looked at through a connection that no scenario touches. Thread-safe. */
final class MatrixTables implements AutoCloseable {
    private final Connection witness;
    private int made;

    private MatrixTables(Connection witness) {
        this.witness = witness;
    }

    static MatrixTables create(Target target) throws SQLException {
        MatrixTables tables = new MatrixTables(new MssqlJdbc(Tls.OFF).connect(target));
        // A server that is not ours still has those of the last time.
        tables.run("DROP TABLE IF EXISTS every_type");
        tables.run("DROP TABLE IF EXISTS hundred_thousand");
        tables.run("DROP PROCEDURE IF EXISTS matrix_add");
        for (String statement : EveryType.setup()) {
            tables.run(statement);
        }
        tables.run(Scenario.PROCEDURE_TEXT);
        tables.makeManyRows(100_000);
        return tables;
    }

    /** Doubles the table until it is large enough: a few statements, instead of one for each row. */
    private void makeManyRows(int rows) throws SQLException {
        run("CREATE TABLE hundred_thousand (id int NOT NULL PRIMARY KEY, name varchar(20) NOT NULL)");
        run("INSERT INTO hundred_thousand (id, name) VALUES (1, 'row 1')");
        for (int have = 1; have < rows; have *= 2) {
            run("INSERT INTO hundred_thousand (id, name) SELECT id + " + have + ", 'row ' + CAST(id + " + have
                    + " AS varchar(10)) FROM hundred_thousand WHERE id + " + have + " <= " + rows);
        }
    }

    /** The name of a new, empty table. */
    synchronized String next() throws SQLException {
        String table = "matrix_" + ++made;
        run("DROP TABLE IF EXISTS " + table);
        // A key without a name would get one that is another each time, and errors name it.
        run("CREATE TABLE " + table + " (id int NOT NULL CONSTRAINT pk_" + table
                + " PRIMARY KEY, name nvarchar(50) NULL, amount decimal(18,4) NULL)");
        return table;
    }

    /** What is in a scenario's table, in the words of {@link Scenario#leaves}. */
    synchronized String contents(String table) throws SQLException {
        try (Statement statement = witness.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT COUNT(*), COUNT(name), SUM(id), SUM(amount) FROM " + table)) {
            rows.next();
            return rows.getInt(1) + " rows, " + rows.getInt(2) + " with a name, ids " + Shown.value(rows.getObject(3))
                    + ", amounts " + Shown.value(rows.getObject(4));
        }
    }

    private void run(String sql) throws SQLException {
        Jdbc.run(witness, sql);
    }

    @Override
    public void close() throws SQLException {
        witness.close();
    }
}
