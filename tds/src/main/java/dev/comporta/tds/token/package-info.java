/**
 * The tokens of a server's response: {@link dev.comporta.tds.token.walk.TokenWalker} walks them as packets arrive and
 * reports what a pooler must know; {@link dev.comporta.tds.token.TokenWriter} and {@link dev.comporta.tds.token.RowFormat}
 * write them.
 */
@NullMarked
package dev.comporta.tds.token;

import org.jspecify.annotations.NullMarked;
