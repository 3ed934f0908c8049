@NullMarked
package dev.comporta.standin.negotiate;

import org.jspecify.annotations.NullMarked;
