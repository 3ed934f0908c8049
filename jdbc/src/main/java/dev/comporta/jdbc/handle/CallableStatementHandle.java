package dev.comporta.jdbc.handle;

import java.sql.CallableStatement;
import java.sql.Wrapper;

/** A callable statement on loan. */
abstract class CallableStatementHandle extends PreparedStatementHandle implements CallableStatement {
    CallableStatementHandle(ConnectionHandle owner, Wrapper delegate) {
        super(owner, delegate);
    }
}
