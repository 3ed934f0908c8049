/** Giving a client a server connection: the bucket on its event loop, and session state that follows the client. */
@NullMarked
package dev.comporta.proxy.attach;

import org.jspecify.annotations.NullMarked;
