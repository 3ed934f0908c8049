/** Text for people at a terminal: columns, and what others sent made harmless. */
@NullMarked
package dev.comporta.app.text;

import org.jspecify.annotations.NullMarked;
