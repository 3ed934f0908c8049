/** The login of clients, from their first byte, and of server connections, once dialled. */
@NullMarked
package dev.comporta.proxy.login;

import org.jspecify.annotations.NullMarked;
