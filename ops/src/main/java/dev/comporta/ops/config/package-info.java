/**
 * The content of proxy.yaml and buckets.yaml as immutable records: one small record for each concern, with its keys and their
 * defaults.
 */
@NullMarked
package dev.comporta.ops.config;

import org.jspecify.annotations.NullMarked;
