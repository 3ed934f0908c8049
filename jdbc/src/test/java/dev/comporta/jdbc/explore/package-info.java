/** Runs code in all orders in which threads can take their steps. */
package dev.comporta.jdbc.explore;
