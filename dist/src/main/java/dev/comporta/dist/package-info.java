/** The Java part of {@code dist/assemble}: the training of the AOT cache, and the list of parts. */
@org.jspecify.annotations.NullMarked
package dev.comporta.dist;
