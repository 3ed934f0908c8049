package dev.comporta.lease.dynamodb;

import dev.comporta.lease.url.SettingNames;
import dev.comporta.lease.url.StoreOpener;
import dev.comporta.lease.url.StoreProvider;
import dev.comporta.lease.url.StoreUrl;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;

/** {@code dynamodb:TABLE[?OPTION=VALUE…]}. The options have the names of the proxy's keys. */
public final class DynamoStoreProvider implements StoreProvider {
    private static final Pattern TABLE = Pattern.compile("[A-Za-z0-9._-]{3,255}");

    /** The defaults of the proxy's {@code dynamodb} section. */
    private static final Duration DIAL_TIMEOUT = Duration.ofSeconds(5);

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(3);

    private static final Set<String> OPTIONS = Set.of("region", "endpoint", "create_table");

    @Override
    public Set<String> schemes() {
        return Set.of("dynamodb");
    }

    @Override
    public StoreOpener read(StoreUrl url) {
        DynamoEndpoint endpoint = endpoint(url);
        return me -> DynamoLeaseStore.connect(me, endpoint, SettingNames.URL);
    }

    static DynamoEndpoint endpoint(StoreUrl url) {
        url.allow(OPTIONS);
        if (!TABLE.matcher(url.body()).matches()) {
            throw new IllegalArgumentException(
                    "'" + url.body() + "' is not a table name that DynamoDB allows: write dynamodb:TABLE"
                            + " with 3 to 255 letters, digits, '.', '_' and '-'");
        }
        return new DynamoEndpoint(
                url.body(),
                url.option("region"),
                url.option("endpoint").map(DynamoStoreProvider::address),
                url.flag("create_table", true),
                DIAL_TIMEOUT,
                REQUEST_TIMEOUT);
    }

    private static URI address(String text) {
        try {
            URI address = new URI(text);
            if (address.getHost() != null
                    && ("http".equals(address.getScheme()) || "https".equals(address.getScheme()))) {
                return address;
            }
        } catch (URISyntaxException _) {
            // reported below
        }
        throw new IllegalArgumentException("endpoint is '" + text + "': set an address such as http://127.0.0.1:8000");
    }
}
