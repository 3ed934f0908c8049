/** The admin API: the console's views and commands over HTTP, in JSON, for callers with the token. */
@NullMarked
package dev.comporta.app.api;

import org.jspecify.annotations.NullMarked;
