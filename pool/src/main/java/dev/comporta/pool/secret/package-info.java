/** The secret of a login that is asked for when a connection is opened, because it changes. */
@NullMarked
package dev.comporta.pool.secret;

import org.jspecify.annotations.NullMarked;
