package dev.comporta.jdbc.session;

import java.sql.SQLException;

/**
 * Signs the token that a login at an Aurora DSQL cluster uses as its password. Found by {@link java.util.ServiceLoader}:
 * the artifact {@code comporta-jdbc-dsql} provides one. Any thread; may block where credentials have to be fetched.
 */
public interface TokenSigner {
    /** @throws SQLException if credentials are missing; its message names them */
    String sign(String host, String region, String user) throws SQLException;
}
