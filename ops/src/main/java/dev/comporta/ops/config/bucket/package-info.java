/** The settings of a bucket in buckets.yaml. */
@NullMarked
package dev.comporta.ops.config.bucket;

import org.jspecify.annotations.NullMarked;
