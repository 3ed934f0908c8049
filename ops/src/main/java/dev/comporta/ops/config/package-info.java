/**
 * What proxy.yaml and buckets.yaml say, as immutable records: one small record for each concern, its keys and their
 * defaults beside it.
 */
@NullMarked
package dev.comporta.ops.config;

import org.jspecify.annotations.NullMarked;
