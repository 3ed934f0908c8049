/** Admission of clients: the bucket that a login is routed to, the account it uses, and whether the server accepts it. */
@NullMarked
package dev.comporta.proxy.admit;

import org.jspecify.annotations.NullMarked;
