/** What an application holds: a connection, its statements and result sets, which end with the loan. */
@NullMarked
package dev.comporta.jdbc.handle;

import org.jspecify.annotations.NullMarked;
