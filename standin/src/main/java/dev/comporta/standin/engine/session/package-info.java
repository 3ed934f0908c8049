/** The server and the state of its sessions: options, transaction, variables, handles, cursors. */
@NullMarked
package dev.comporta.standin.engine.session;

import org.jspecify.annotations.NullMarked;
