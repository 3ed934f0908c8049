/** Secrets of logins that change, and are therefore fetched when a connection is opened. */
@NullMarked
package dev.comporta.pool.secret;

import org.jspecify.annotations.NullMarked;
