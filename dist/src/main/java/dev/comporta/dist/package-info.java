/** What {@code dist/assemble} needs beside the JDK's tools: the training of the AOT cache, and the list of parts. */
@org.jspecify.annotations.NullMarked
package dev.comporta.dist;
