package dev.comporta.jdbc.session;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * User and password, asked for each time a connection is opened: so a token that expires is always a fresh one. Called on a
 * virtual thread, and may block.
 */
@FunctionalInterface
public interface Credentials {
    /** @param user null if it is in the URL, or none is needed; the same for the password */
    record Login(@Nullable String user, @Nullable String password) {
        @Override
        public String toString() {
            return user == null ? "the URL's user" : "user " + user;
        }
    }

    Login get() throws SQLException;

    static Credentials of(@Nullable String user, @Nullable String password) {
        Login login = new Login(user, password);
        return () -> login;
    }
}
