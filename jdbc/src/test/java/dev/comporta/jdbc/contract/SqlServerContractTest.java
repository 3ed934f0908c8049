package dev.comporta.jdbc.contract;

import dev.comporta.jdbc.db.StandinDatabase;

class SqlServerContractTest extends ConnectionContract<StandinDatabase> {
    SqlServerContractTest() throws Exception {
        super(new StandinDatabase());
    }
}
