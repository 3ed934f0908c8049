/** The stand-in's server side of TDS: connections, logins, requests, responses, and their faults on demand. */
@NullMarked
package dev.comporta.standin.wire;

import org.jspecify.annotations.NullMarked;
