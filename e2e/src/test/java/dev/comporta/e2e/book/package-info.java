/** README and docs: their commands run, their samples are read, their links lead somewhere. */
@NullMarked
package dev.comporta.e2e.book;

import org.jspecify.annotations.NullMarked;
