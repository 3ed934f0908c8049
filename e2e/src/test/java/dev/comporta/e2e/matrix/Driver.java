package dev.comporta.e2e.matrix;

import dev.comporta.e2e.Target;

/** A driver of the matrix: plays scenarios, and says what it found. */
interface Driver {
    /** How tests name it: no two have the same. */
    String name();

    Tls tls();

    /** What the driver loses of the values that the server sends. */
    Traits traits();

    /**
     * Plays a scenario in blocking style.
     *
     * @param table the scenario's own table, empty: id int primary key, name nvarchar(50), amount decimal(18,4)
     * @return the facts found, worded as {@link Scenario#facts} words them
     */
    Facts play(Scenario scenario, Target target, String table) throws Exception;
}
