/** The time from the product's start until it serves clients. */
@NullMarked
package dev.comporta.bench.start;

import org.jspecify.annotations.NullMarked;
