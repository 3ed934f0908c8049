/** Fleets of processes with a pool each, and what happens to them. */
package dev.comporta.jdbc.fleet;
