/** A bucket on its event loop: it carries out the pool's orders, and reports to the pool what clients and servers do. */
@NullMarked
package dev.comporta.proxy.loop;

import org.jspecify.annotations.NullMarked;
