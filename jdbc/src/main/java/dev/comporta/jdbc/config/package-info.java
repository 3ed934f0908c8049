/** The settings of a pool in process: their names and values, and what is made of them. */
@NullMarked
package dev.comporta.jdbc.config;

import org.jspecify.annotations.NullMarked;
