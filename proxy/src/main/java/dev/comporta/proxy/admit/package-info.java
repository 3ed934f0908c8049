/** Letting a client in: which bucket its login leads to, with which account, and whether the server accepts it. */
@NullMarked
package dev.comporta.proxy.admit;

import org.jspecify.annotations.NullMarked;
