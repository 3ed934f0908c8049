/** The live page: its files, and the stream of its data. */
@NullMarked
package dev.comporta.app.live;

import org.jspecify.annotations.NullMarked;
