package dev.comporta.jdbc.dialect;

import java.sql.SQLException;

/** There are no credentials to log in with. The server was not contacted, so this shows nothing about its state. */
public final class NoCredentialsException extends SQLException {
    private static final long serialVersionUID = 1;

    public NoCredentialsException(SQLException cause) {
        super("no credentials: " + cause.getMessage(), "28000", cause);
    }
}
