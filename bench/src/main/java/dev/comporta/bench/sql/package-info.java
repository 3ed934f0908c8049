/** The cost of scanning the T-SQL text of a request. */
@NullMarked
package dev.comporta.bench.sql;

import org.jspecify.annotations.NullMarked;
