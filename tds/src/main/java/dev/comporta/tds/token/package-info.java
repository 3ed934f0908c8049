/**
 * The tokens of a server's response: {@link dev.comporta.tds.token.walk.TokenWalker} passes over them as packets arrive and
 * tells what a pooler must know; {@link dev.comporta.tds.token.TokenWriter} and {@link dev.comporta.tds.token.RowFormat}
 * write them.
 */
@NullMarked
package dev.comporta.tds.token;

import org.jspecify.annotations.NullMarked;
