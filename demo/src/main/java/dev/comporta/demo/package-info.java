/** {@code comporta demo}: an ordinary instance, with stand-ins as servers and a built-in load. */
@NullMarked
package dev.comporta.demo;

import org.jspecify.annotations.NullMarked;
