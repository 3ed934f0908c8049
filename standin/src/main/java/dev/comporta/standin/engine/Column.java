package dev.comporta.standin.engine;

/** A column of a result, as COLMETADATA describes it. */
public record Column(String name, SqlType type, boolean nullable, boolean identity) {}
