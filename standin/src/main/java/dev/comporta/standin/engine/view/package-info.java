/** The server's own state as views: sys, INFORMATION_SCHEMA, the old system tables. */
@NullMarked
package dev.comporta.standin.engine.view;

import org.jspecify.annotations.NullMarked;
