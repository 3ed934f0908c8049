package dev.comporta.standin.engine;

/** A column of a result, as in COLMETADATA. */
public record Column(String name, SqlType type, boolean nullable, boolean identity) {}
