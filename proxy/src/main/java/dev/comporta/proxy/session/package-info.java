/** What a client's session carries from one server connection to another, and the proxy's own errors. */
@NullMarked
package dev.comporta.proxy.session;

import org.jspecify.annotations.NullMarked;
