/** {@code comporta demo}: an instance as any other, with stand-ins for databases and a load of its own. */
@NullMarked
package dev.comporta.demo;

import org.jspecify.annotations.NullMarked;
