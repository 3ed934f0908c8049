package dev.comporta.jdbc.dsql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.jdbc.session.TokenSigner;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.core.exception.SdkClientException;

/**
 * The signatures were computed without the SDK, by this (Python 3). The same steps give the signature of the example of query
 * authentication in Amazon S3's documentation (aeeed9bb…d404), and the signing key of the example in that of IAM (c4afb1cc…a4b9).
 *
 * <pre>{@code
 * date, scope = now[:8], f"{now[:8]}/{region}/dsql/aws4_request"
 * q = {"Action": action, "X-Amz-Algorithm": "AWS4-HMAC-SHA256", "X-Amz-Credential": f"{key}/{scope}", "X-Amz-Date": now,
 *      "X-Amz-Expires": "900", "X-Amz-SignedHeaders": "host"}  # and X-Amz-Security-Token
 * query = "&".join(f"{k}={quote(v, safe='-_.~')}" for k, v in sorted(q.items()))
 * request = "\n".join(["GET", "/", query, f"host:{host}\n", "host", sha256(b"").hexdigest()])
 * text = "\n".join(["AWS4-HMAC-SHA256", now, scope, sha256(request.encode()).hexdigest()])
 * k = ("AWS4" + secret).encode()
 * for part in (date, region, "dsql", "aws4_request"): k = hmac.new(k, part.encode(), sha256).digest()
 * print(hmac.new(k, text.encode(), sha256).hexdigest())
 * }</pre>
 */
class SdkTokenSignerTest {
    private static final String HOST = "weabcdefghijklmnopqrstuvwx.dsql.eu-west-1.on.aws";
    private static final String SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
    private static final Clock NOON = Clock.fixed(Instant.parse("2026-11-17T12:00:00Z"), ZoneOffset.UTC);

    private static Map<String, String> sign(AwsCredentials credentials, String user) throws SQLException {
        String token = new SdkTokenSigner(() -> credentials, NOON).sign(HOST, "eu-west-1", user);
        assertThat(token).startsWith(HOST + "/?");
        Map<String, String> parameters = new TreeMap<>();
        Arrays.stream(token.substring(HOST.length() + 2).split("&"))
                .map(pair -> pair.split("=", 2))
                .forEach(pair -> parameters.put(pair[0], pair[1]));
        return parameters;
    }

    @Test
    void aTokenIsAQuerySignedRequestToConnect() throws SQLException {
        assertThat(sign(AwsBasicCredentials.create("AKIDEXAMPLE", SECRET), "app"))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "Action",
                        "DbConnect",
                        "X-Amz-Algorithm",
                        "AWS4-HMAC-SHA256",
                        "X-Amz-Credential",
                        "AKIDEXAMPLE%2F20261117%2Feu-west-1%2Fdsql%2Faws4_request",
                        "X-Amz-Date",
                        "20261117T120000Z",
                        "X-Amz-Expires",
                        "900",
                        "X-Amz-SignedHeaders",
                        "host",
                        "X-Amz-Signature",
                        "d5a7ff4aa5ee1b70420d204c9f59af54e04f65cacdcadebcdafdfbac796c3712"));
    }

    @Test
    void theAdministratorAndARoleSignDifferently() throws SQLException {
        AwsSessionCredentials credentials =
                AwsSessionCredentials.create("AKIDEXAMPLE", SECRET, "session/token+with=signs");
        Map<String, String> token = sign(credentials, "admin");
        assertThat(token)
                .containsEntry("Action", "DbConnectAdmin")
                .containsEntry("X-Amz-Security-Token", "session%2Ftoken%2Bwith%3Dsigns")
                .containsEntry("X-Amz-Signature", "a2d901b0675c4512281a77fde262dbc9c5c8a4c2c6a054054f8d92b6eb255c50");
        Map<String, String> ofARole = sign(credentials, "administrator");
        assertThat(ofARole).containsEntry("Action", "DbConnect");
        assertThat(ofARole.get("X-Amz-Signature")).isNotEqualTo(token.get("X-Amz-Signature"));
    }

    @Test
    void missingCredentialsAreNamedAndMayComeLater() throws SQLException {
        AtomicReference<AwsCredentials> found = new AtomicReference<>();
        SdkTokenSigner signer = new SdkTokenSigner(
                () -> {
                    if (found.get() == null) {
                        throw SdkClientException.create("Unable to load credentials");
                    }
                    return found.get();
                },
                NOON);
        assertThatThrownBy(() -> signer.sign(HOST, "eu-west-1", "app"))
                .isInstanceOf(SQLTransientException.class)
                .hasMessageContaining("no AWS credentials to sign a token for " + HOST)
                .hasMessageContaining("give this process a role");
        found.set(AwsBasicCredentials.create("AKIDEXAMPLE", SECRET));
        assertThat(signer.sign(HOST, "eu-west-1", "app")).contains("X-Amz-Credential=AKIDEXAMPLE");
    }

    @Test
    void thePoolFindsIt() {
        assertThat(ServiceLoader.load(TokenSigner.class)).hasAtLeastOneElementOfType(SdkTokenSigner.class);
    }
}
