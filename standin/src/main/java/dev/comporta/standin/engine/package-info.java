/** T-SQL over H2: what a session does and answers, without knowledge of packets, tokens or sockets. */
@NullMarked
package dev.comporta.standin.engine;

import org.jspecify.annotations.NullMarked;
