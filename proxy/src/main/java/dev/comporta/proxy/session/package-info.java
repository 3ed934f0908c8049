/** What a client's session carries from one server connection to another, and what it is told by the proxy itself. */
@NullMarked
package dev.comporta.proxy.session;

import org.jspecify.annotations.NullMarked;
