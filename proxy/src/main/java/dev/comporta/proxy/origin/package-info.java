/** Where clients connect from: their addresses, ranges of addresses, and the PROXY header that carries an address. */
@NullMarked
package dev.comporta.proxy.origin;

import org.jspecify.annotations.NullMarked;
