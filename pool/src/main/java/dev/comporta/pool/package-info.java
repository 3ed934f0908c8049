@NullMarked
package dev.comporta.pool;

import org.jspecify.annotations.NullMarked;
