/** What can be queried: views, their columns and rows. */
@NullMarked
package dev.comporta.console.table;

import org.jspecify.annotations.NullMarked;
