/**
 * The SQL console: a small SQL dialect over immutable snapshots, and the commands of an administrator. It knows no wire
 * protocol; a listener passes it text and gets outcomes. {@code docs/console.md} describes the language.
 */
@NullMarked
package dev.comporta.console;

import org.jspecify.annotations.NullMarked;
