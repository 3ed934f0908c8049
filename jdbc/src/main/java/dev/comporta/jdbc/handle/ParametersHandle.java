package dev.comporta.jdbc.handle;

import java.sql.Wrapper;

/** A class of its own, as each interface needs one. */
abstract class ParametersHandle extends ColumnsHandle {
    ParametersHandle(ConnectionHandle owner, Wrapper delegate) {
        super(owner, delegate);
    }
}
