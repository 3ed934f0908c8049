package dev.comporta.jdbc.contract;

import dev.comporta.jdbc.db.FirebirdDatabase;

class FirebirdContractTest extends ConnectionContract<FirebirdDatabase> {
    FirebirdContractTest() throws Exception {
        super(new FirebirdDatabase());
    }
}
