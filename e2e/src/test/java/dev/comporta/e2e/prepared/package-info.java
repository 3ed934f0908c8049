/** Prepared statements of many clients over few server connections. */
@NullMarked
package dev.comporta.e2e.prepared;

import org.jspecify.annotations.NullMarked;
