package dev.comporta.jdbc.handle;

import java.sql.PreparedStatement;
import java.sql.Wrapper;

/** A prepared statement on loan. */
abstract class PreparedStatementHandle extends StatementHandle implements PreparedStatement {
    PreparedStatementHandle(ConnectionHandle owner, Wrapper delegate) {
        super(owner, delegate);
    }
}
