/** A driver without a server, which counts its connections and fails on demand. */
package dev.comporta.jdbc.stub;
