package dev.comporta.jdbc.config;

import dev.comporta.jdbc.session.Credentials;
import dev.comporta.jdbc.session.TokenSigner;
import java.sql.SQLException;
import java.sql.SQLInvalidAuthorizationSpecException;
import java.util.Optional;
import java.util.ServiceLoader;

/** Logins at a cluster: who has no password gets a token, a fresh one at each opening. */
record DsqlCredentials(Credentials of, String host, Optional<String> region) implements Credentials {
    private static final String MISSING =
            "tokens for Aurora DSQL can't be signed: add the artifact dev.comporta:comporta-jdbc-dsql,"
                    + " or set a password or credentials";

    /** @throws IllegalArgumentException that names the missing artifact */
    static void requireSigner() {
        if (signer().isEmpty()) {
            throw new IllegalArgumentException(MISSING);
        }
    }

    @Override
    public Login get() throws SQLException {
        Login login = of.get();
        if (login.password() != null) {
            return login;
        }
        if (login.user() == null) {
            throw new SQLInvalidAuthorizationSpecException(
                    "username is not set: set a role of the cluster that IAM may log in, or admin", "28000");
        }
        TokenSigner signer = signer().orElseThrow(() -> new SQLInvalidAuthorizationSpecException(MISSING, "28000"));
        String signed = region.isPresent() ? region.get() : "";
        if (signed.isEmpty()) {
            throw new SQLInvalidAuthorizationSpecException(
                    "no region for " + host
                            + ": use the cluster's own name, CLUSTER.dsql.REGION.on.aws, or set AWS_REGION",
                    "28000");
        }
        return new Login(login.user(), signer.sign(host, signed, login.user()));
    }

    private static Optional<TokenSigner> signer() {
        Optional<TokenSigner> found = ServiceLoader.load(TokenSigner.class).findFirst();
        return found.isPresent()
                ? found
                : ServiceLoader.load(TokenSigner.class, TokenSigner.class.getClassLoader())
                        .findFirst();
    }
}
