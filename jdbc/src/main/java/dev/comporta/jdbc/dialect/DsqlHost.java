package dev.comporta.jdbc.dialect;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The endpoint of an Aurora DSQL cluster: {@code CLUSTER.dsql.REGION.on.aws}, or {@code CLUSTER.dsql-SUFFIX.REGION.on.aws} within a
 * VPC.
 */
public record DsqlHost(String host, String region) {
    private static final Pattern URL =
            Pattern.compile("jdbc:postgresql://(?:[^@/?]*@)?([^:/?,@]+)(?::\\d+)?(?:[/?].*)?");
    private static final Pattern HOST = Pattern.compile("[^.]+\\.dsql[^.]*\\.([^.]+)\\.on\\.aws");

    /** Empty for any other server. */
    public static Optional<DsqlHost> of(String jdbcUrl) {
        return hostOf(jdbcUrl).flatMap(host -> {
            Matcher endpoint = HOST.matcher(host);
            return endpoint.matches() ? Optional.of(new DsqlHost(host, endpoint.group(1))) : Optional.empty();
        });
    }

    /** The host of PostgreSQL's URL; empty for several, or for none. */
    public static Optional<String> hostOf(String jdbcUrl) {
        Matcher url = URL.matcher(jdbcUrl);
        return url.matches() ? Optional.of(url.group(1).toLowerCase(Locale.ROOT)) : Optional.empty();
    }
}
