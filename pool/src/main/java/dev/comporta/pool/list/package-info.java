/** Linked lists whose elements bring their own links. */
@NullMarked
package dev.comporta.pool.list;

import org.jspecify.annotations.NullMarked;
