/**
 * Scans the T-SQL text of a request for what it means for pooling: in place, once, and understanding no more of the language
 * than that decision needs.
 */
@NullMarked
package dev.comporta.tds.sql;

import org.jspecify.annotations.NullMarked;
