/** Responses walked in place: one walker for each kind of token, and a cursor that they share. */
@NullMarked
package dev.comporta.tds.token.walk;

import org.jspecify.annotations.NullMarked;
