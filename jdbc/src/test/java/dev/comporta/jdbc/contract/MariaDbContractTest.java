package dev.comporta.jdbc.contract;

import dev.comporta.jdbc.db.MariaDatabase;

class MariaDbContractTest extends ConnectionContract<MariaDatabase> {
    MariaDbContractTest() throws Exception {
        super(new MariaDatabase());
    }
}
