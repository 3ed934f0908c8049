/** The examples of docs/embedded.md, as they are written there, run. */
package dev.comporta.jdbc.example;
