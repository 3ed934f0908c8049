/** Passwords from outside of the configuration. */
@NullMarked
package dev.comporta.ops.secret;

import org.jspecify.annotations.NullMarked;
