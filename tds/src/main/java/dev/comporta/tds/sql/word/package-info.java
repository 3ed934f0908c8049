/** The words of T-SQL: characters, tokens, names and keywords, told apart without making strings. */
@NullMarked
package dev.comporta.tds.sql.word;

import org.jspecify.annotations.NullMarked;
