package dev.comporta.standin.engine.query;

import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.function.JavaFunction;
import java.util.List;

/** A call of a Java function in a rendered statement; H2 identifies it by its index in the statement's list. */
record JavaCall(JavaFunction function, List<SqlType> argumentTypes) {}
