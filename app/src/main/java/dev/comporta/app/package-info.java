@NullMarked
package dev.comporta.app;

import org.jspecify.annotations.NullMarked;
