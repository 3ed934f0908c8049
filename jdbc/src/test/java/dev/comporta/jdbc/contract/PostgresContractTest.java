package dev.comporta.jdbc.contract;

import dev.comporta.jdbc.db.PostgresDatabase;

class PostgresContractTest extends ConnectionContract<PostgresDatabase> {
    PostgresContractTest() throws Exception {
        super(new PostgresDatabase());
    }
}
