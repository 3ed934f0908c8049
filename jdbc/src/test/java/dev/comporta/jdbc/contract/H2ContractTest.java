package dev.comporta.jdbc.contract;

import dev.comporta.jdbc.db.H2Database;

class H2ContractTest extends DriverContract<H2Database> {
    H2ContractTest() throws Exception {
        super(new H2Database());
    }
}
