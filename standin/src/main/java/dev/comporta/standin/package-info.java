@NullMarked
package dev.comporta.standin;

import org.jspecify.annotations.NullMarked;
