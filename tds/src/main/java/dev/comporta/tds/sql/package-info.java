/**
 * What a request's T-SQL text means for pooling: read in place, once, without understanding more of the language than
 * that decision needs.
 */
@NullMarked
package dev.comporta.tds.sql;

import org.jspecify.annotations.NullMarked;
