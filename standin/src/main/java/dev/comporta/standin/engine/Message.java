package dev.comporta.standin.engine;

/**
 * The content of an ERROR or INFO token.
 *
 * @param severity SQL Server's class: up to 10 is information, from 11 an error, from 20 it ends the session
 * @param procedure the procedure in which it was raised; empty in a batch
 */
public record Message(int number, int state, int severity, String text, String procedure, int line) {}
