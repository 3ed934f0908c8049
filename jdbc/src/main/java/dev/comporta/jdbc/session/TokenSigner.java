package dev.comporta.jdbc.session;

import java.sql.SQLException;

/**
 * Signs what a login at an Aurora DSQL cluster takes for its password. Found by {@link java.util.ServiceLoader}: the artifact
 * {@code comporta-jdbc-dsql} provides one. Any thread; may block where credentials have to be fetched.
 */
public interface TokenSigner {
    /** @throws SQLException that says which credentials are missing */
    String sign(String host, String region, String user) throws SQLException;
}
