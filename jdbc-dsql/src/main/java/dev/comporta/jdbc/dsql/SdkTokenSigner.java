package dev.comporta.jdbc.dsql;

import dev.comporta.jdbc.session.TokenSigner;
import java.net.URI;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Clock;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;

/**
 * Signs tokens with the AWS credentials of the process, without a request to AWS: a token is a query-signed request to
 * connect, without its scheme. The SDK renews credentials before they expire. Any thread.
 */
public final class SdkTokenSigner implements TokenSigner {
    /** The lifetime of a token, as AWS itself chooses it. It has to last until the end of the login. */
    private static final Duration LIFE = Duration.ofMinutes(15);

    private static final String SCHEME = "https://";
    private static final String ADMIN = "admin";

    /** The default chain caches the credentials that it finds: one for the process. */
    private static final class Chain {
        static final AwsCredentialsProvider PROVIDER =
                DefaultCredentialsProvider.builder().build();
    }

    private final AwsCredentialsProvider credentials;
    private final Clock clock;
    private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();

    /** With the credentials that the SDK finds: environment, profile, role of the container, the service account or the machine. */
    public SdkTokenSigner() {
        this(Chain.PROVIDER, Clock.systemUTC());
    }

    SdkTokenSigner(AwsCredentialsProvider credentials, Clock clock) {
        this.credentials = credentials;
        this.clock = clock;
    }

    @Override
    public String sign(String host, String region, String user) throws SQLException {
        SdkHttpRequest request = SdkHttpRequest.builder()
                .method(SdkHttpMethod.GET)
                .uri(URI.create(SCHEME + host + "/"))
                .putRawQueryParameter("Action", user.equals(ADMIN) ? "DbConnectAdmin" : "DbConnect")
                .build();
        try {
            return signer.sign(r -> r.identity(credentials.resolveCredentials())
                            .request(request)
                            .putProperty(AwsV4FamilyHttpSigner.SERVICE_SIGNING_NAME, "dsql")
                            .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                            .putProperty(
                                    AwsV4FamilyHttpSigner.AUTH_LOCATION,
                                    AwsV4FamilyHttpSigner.AuthLocation.QUERY_STRING)
                            .putProperty(AwsV4FamilyHttpSigner.EXPIRATION_DURATION, LIFE)
                            .putProperty(HttpSigner.SIGNING_CLOCK, clock))
                    .request()
                    .getUri()
                    .toString()
                    .substring(SCHEME.length());
        } catch (SdkException e) {
            throw new SQLTransientConnectionException(
                    "no AWS credentials to sign a token for " + host + " with: give this process a role, or set"
                            + " AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (" + e.getMessage() + ")",
                    "28000",
                    e);
        }
    }
}
