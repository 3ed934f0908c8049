package dev.comporta.jdbc.contract;

import dev.comporta.jdbc.db.FirebirdDatabase;

class FirebirdContractTest extends DriverContract<FirebirdDatabase> {
    FirebirdContractTest() throws Exception {
        super(new FirebirdDatabase());
    }
}
