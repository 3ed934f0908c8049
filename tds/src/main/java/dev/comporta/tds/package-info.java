@NullMarked
package dev.comporta.tds;

import org.jspecify.annotations.NullMarked;
