/** A client of the admin API, for the commands {@code admin} and {@code top}. Knows nothing of the proxy. */
@NullMarked
package dev.comporta.app.admin;

import org.jspecify.annotations.NullMarked;
