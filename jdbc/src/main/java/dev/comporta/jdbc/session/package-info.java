/** A physical connection: how it is opened, what a client changed on it, and how that is put back. */
@NullMarked
package dev.comporta.jdbc.session;

import org.jspecify.annotations.NullMarked;
