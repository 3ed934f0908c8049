/** What can be set for a bucket: immutable records, each validated where it is made. */
@NullMarked
package dev.comporta.pool.settings;

import org.jspecify.annotations.NullMarked;
