package dev.comporta.ops.config;

import dev.comporta.ops.config.bucket.BucketConfig;
import dev.comporta.ops.config.fleet.FallbackConfig;
import dev.comporta.ops.config.fleet.FleetConfig;
import dev.comporta.ops.config.proxy.ProxyConfig;
import dev.comporta.ops.route.Router;
import java.util.List;

/**
 * The checked content of both files. Immutable: a reload makes a new one.
 *
 * @param fleet where slots are counted
 */
public record Configuration(
        ProxyConfig proxy, FleetConfig fleet, FallbackConfig fallback, List<BucketConfig> buckets, Router router) {
    public Configuration {
        buckets = List.copyOf(buckets);
    }
}
