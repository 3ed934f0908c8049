/** The stand-in's server side of TDS: connections, logins, requests and responses, and how they go wrong on demand. */
@NullMarked
package dev.comporta.standin.wire;

import org.jspecify.annotations.NullMarked;
