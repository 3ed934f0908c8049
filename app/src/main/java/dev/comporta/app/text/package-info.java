/** Text for terminals: columns, and escaping of harmful characters. */
@NullMarked
package dev.comporta.app.text;

import org.jspecify.annotations.NullMarked;
