/** The engine by what it answers: given T-SQL, these events. */
@NullMarked
package dev.comporta.standin.engine;

import org.jspecify.annotations.NullMarked;
