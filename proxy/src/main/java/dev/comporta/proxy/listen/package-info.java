/** Where clients connect: sockets, threads and the first bytes. */
@NullMarked
package dev.comporta.proxy.listen;

import org.jspecify.annotations.NullMarked;
