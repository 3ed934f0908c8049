/** A short history of each bucket, for the console and the live page. */
@NullMarked
package dev.comporta.app.recent;

import org.jspecify.annotations.NullMarked;
