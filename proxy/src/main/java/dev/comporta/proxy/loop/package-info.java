/** A bucket on its event loop: carries out the pool core's orders, and reports to it what clients and servers do. */
@NullMarked
package dev.comporta.proxy.loop;

import org.jspecify.annotations.NullMarked;
