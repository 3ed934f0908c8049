@NullMarked
package dev.comporta.bench;

import org.jspecify.annotations.NullMarked;
