/** The settings of a pool in process: their names, their texts, and what they become. */
@NullMarked
package dev.comporta.jdbc.config;

import org.jspecify.annotations.NullMarked;
