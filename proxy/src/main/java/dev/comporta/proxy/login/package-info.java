/** From a client's first byte to its session, and from a dialled server to a connection that is logged in. */
@NullMarked
package dev.comporta.proxy.login;

import org.jspecify.annotations.NullMarked;
