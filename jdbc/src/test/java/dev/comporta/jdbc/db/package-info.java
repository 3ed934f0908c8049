/** The databases that the contract is tested with, each in a process or thread of its own. */
package dev.comporta.jdbc.db;
