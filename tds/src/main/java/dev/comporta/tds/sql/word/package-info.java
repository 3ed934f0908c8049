/** The lexical elements of T-SQL: characters, tokens, names and keywords, recognized without making strings. */
@NullMarked
package dev.comporta.tds.sql.word;

import org.jspecify.annotations.NullMarked;
