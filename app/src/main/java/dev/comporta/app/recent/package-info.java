/** What the buckets did lately: a short history of each, for the console and for pages that draw it. */
@NullMarked
package dev.comporta.app.recent;

import org.jspecify.annotations.NullMarked;
