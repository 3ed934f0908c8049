package dev.comporta.jdbc.dialect;

import java.sql.SQLException;

/** There is nothing to log in with: the server was not asked, and says nothing about itself by that. */
public final class NoCredentialsException extends SQLException {
    private static final long serialVersionUID = 1;

    public NoCredentialsException(SQLException cause) {
        super("no credentials: " + cause.getMessage(), "28000", cause);
    }
}
