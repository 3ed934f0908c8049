/** What buckets.yaml says of a bucket. */
@NullMarked
package dev.comporta.ops.config.bucket;

import org.jspecify.annotations.NullMarked;
