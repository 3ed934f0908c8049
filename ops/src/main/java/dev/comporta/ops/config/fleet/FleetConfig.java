package dev.comporta.ops.config.fleet;

import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Section;
import dev.comporta.ops.config.yaml.SectionKey;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where slots are counted, and the settings of the chosen store only: the file may have those of both.
 *
 * @param redis absent unless slots are in Redis
 * @param dynamodb absent unless slots are in DynamoDB
 */
public record FleetConfig(LeasesIn leases, Optional<RedisConfig> redis, Optional<DynamoConfig> dynamodb) {
    public static final Key<LeasesIn> LEASES = Key.derived(
            "leases",
            ValueTypes.choice(LeasesIn.class),
            "`redis` with `redis.addr`, `dynamodb` with a section `dynamodb`, otherwise `local`");

    public static final SectionKey REDIS = new SectionKey("redis", RedisConfig.SCHEMA);
    public static final SectionKey DYNAMODB = new SectionKey("dynamodb", DynamoConfig.SCHEMA);

    public static FleetConfig read(Section root) {
        Optional<RedisConfig> redis = RedisConfig.read(root.child(REDIS));
        DynamoConfig dynamodb = DynamoConfig.read(root.child(DYNAMODB));
        LeasesIn leases = chosen(root, redis.isPresent());
        unused(root, REDIS, redis.isPresent() && leases != LeasesIn.REDIS, leases);
        unused(root, DYNAMODB, root.has(DYNAMODB) && leases != LeasesIn.DYNAMODB, leases);
        return new FleetConfig(
                leases,
                leases == LeasesIn.REDIS ? redis : Optional.empty(),
                leases == LeasesIn.DYNAMODB ? Optional.of(dynamodb) : Optional.empty());
    }

    private static LeasesIn chosen(Section root, boolean hasRedis) {
        @Nullable LeasesIn written = root.find(LEASES);
        boolean hasDynamo = root.has(DYNAMODB);
        if (written == LeasesIn.REDIS && !hasRedis) {
            root.error(LEASES.name(), "There is no redis.addr.", "Add 'redis:' with 'addr:'.");
        }
        if (written != null) {
            return written;
        }
        if (hasRedis && hasDynamo) {
            root.error(
                    DYNAMODB.name(),
                    "There are a 'redis' and a 'dynamodb' section, and slots are counted in one place.",
                    "Add 'leases: redis' or 'leases: dynamodb', or remove one of the sections.");
        }
        if (hasRedis) {
            return LeasesIn.REDIS;
        }
        return hasDynamo ? LeasesIn.DYNAMODB : LeasesIn.LOCAL;
    }

    private static void unused(Section root, SectionKey section, boolean isUnused, LeasesIn leases) {
        if (isUnused && root.has(LEASES)) {
            root.warn(
                    section.name(),
                    "It has no effect: 'leases' says that slots are counted in " + leases.title() + ".",
                    "Remove the section, or change 'leases'.");
        }
    }
}
