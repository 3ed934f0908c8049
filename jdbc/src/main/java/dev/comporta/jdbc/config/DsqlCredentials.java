package dev.comporta.jdbc.config;

import dev.comporta.jdbc.session.Credentials;
import dev.comporta.jdbc.session.TokenSigner;
import java.sql.SQLException;
import java.sql.SQLInvalidAuthorizationSpecException;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Logins at Aurora DSQL: a user without a password gets a token, a fresh one for each connection that is opened. Any thread. */
final class DsqlCredentials implements Credentials {
    private static final String MISSING =
            "tokens for Aurora DSQL can't be signed: add the artifact dev.comporta:comporta-jdbc-dsql,"
                    + " or set a password or credentials";

    private final Credentials given;
    private final String host;
    private final Optional<String> region;
    /** Found once, with the first login that needs it. */
    private volatile @Nullable TokenSigner signer;

    DsqlCredentials(Credentials given, String host, Optional<String> region) {
        this.given = given;
        this.host = host;
        this.region = region;
    }

    /** @throws IllegalArgumentException if the artifact is missing; its message names it */
    static void requireSigner() {
        if (find().isEmpty()) {
            throw new IllegalArgumentException(MISSING);
        }
    }

    @Override
    public Login get() throws SQLException {
        Login login = given.get();
        if (login.password() != null) {
            return login;
        }
        if (login.user() == null) {
            throw rejected("username is not set: set a role of the cluster that IAM may log in, or admin");
        }
        String where = region.orElseThrow(() -> rejected("no region for " + host
                + ": use the cluster's own name, CLUSTER.dsql.REGION.on.aws, or set AWS_REGION"));
        return new Login(login.user(), signer().sign(host, where, login.user()));
    }

    private static SQLException rejected(String why) {
        return new SQLInvalidAuthorizationSpecException(why, "28000");
    }

    private TokenSigner signer() throws SQLException {
        TokenSigner known = signer;
        if (known == null) {
            known = find().orElseThrow(() -> rejected(MISSING));
            signer = known;
        }
        return known;
    }

    private static Optional<TokenSigner> find() {
        Optional<TokenSigner> found = ServiceLoader.load(TokenSigner.class).findFirst();
        return found.isPresent()
                ? found
                : ServiceLoader.load(TokenSigner.class, TokenSigner.class.getClassLoader())
                        .findFirst();
    }
}
