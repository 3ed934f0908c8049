/** What reading the T-SQL text of a request costs. */
@NullMarked
package dev.comporta.bench.sql;

import org.jspecify.annotations.NullMarked;
