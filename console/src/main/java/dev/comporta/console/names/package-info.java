/** Guesses the name that a misspelt one stands for. */
@NullMarked
package dev.comporta.console.names;

import org.jspecify.annotations.NullMarked;
