/** The live page: its files, and the stream of what it shows. */
@NullMarked
package dev.comporta.app.live;

import org.jspecify.annotations.NullMarked;
