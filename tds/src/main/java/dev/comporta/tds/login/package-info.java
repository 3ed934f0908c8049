/** The messages between client and server before the first request: PRELOGIN and LOGIN7. */
@NullMarked
package dev.comporta.tds.login;

import org.jspecify.annotations.NullMarked;
