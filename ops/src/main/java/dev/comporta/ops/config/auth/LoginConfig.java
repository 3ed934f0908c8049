package dev.comporta.ops.config.auth;

import dev.comporta.ops.config.value.HiddenText;
import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import java.util.Optional;

/**
 * The settings of one login of a bucket.
 *
 * @param password the client's password when authentication is mapped
 * @param maxConnections 0 means no limit but the bucket's
 * @param weight with fairness {@code login}: the number of its turns for each turn of a login of weight 1
 */
public record LoginConfig(String username, Optional<HiddenText> password, int maxConnections, int weight) {
    private static final Key<String> USERNAME = Key.required("username", ValueTypes.text("a login"));
    private static final Key<HiddenText> PASSWORD =
            Key.derived("password", ValueTypes.secret(), "login refused when authentication is mapped");
    private static final Key<Integer> MAX_CONNECTIONS =
            Key.derived("max_connections", ValueTypes.integer(0, 32_767), "max_connections_per_login");
    private static final Key<Integer> WEIGHT = Key.of("weight", ValueTypes.integer(1, 1000), "1");

    static final Schema SCHEMA = Schema.of(USERNAME, PASSWORD, MAX_CONNECTIONS, WEIGHT);

    static LoginConfig read(Section section, int maxConnectionsPerLogin) {
        return new LoginConfig(
                section.get(USERNAME),
                Optional.ofNullable(section.find(PASSWORD)),
                section.get(MAX_CONNECTIONS, maxConnectionsPerLogin),
                section.get(WEIGHT));
    }
}
