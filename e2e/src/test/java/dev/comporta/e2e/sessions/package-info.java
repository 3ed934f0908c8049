/** Random sessions, each played directly and then in a crowd through the proxy: every answer must be the same. */
@NullMarked
package dev.comporta.e2e.sessions;

import org.jspecify.annotations.NullMarked;
