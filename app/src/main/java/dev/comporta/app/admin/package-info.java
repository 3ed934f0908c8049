/** A client of the admin API: what {@code admin} and {@code top} ask an instance with. Knows nothing of the proxy. */
@NullMarked
package dev.comporta.app.admin;

import org.jspecify.annotations.NullMarked;
