/**
 * Lease stores by URL: {@code redis://host:6379}, {@code dynamodb:TABLE}. Each store's module provides a reader of its URLs, found by
 * {@link java.util.ServiceLoader}; the pools of a process that name the same store share it.
 */
@NullMarked
package dev.comporta.lease.url;

import org.jspecify.annotations.NullMarked;
