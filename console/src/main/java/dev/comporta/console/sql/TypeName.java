package dev.comporta.console.sql;

/**
 * A type as CAST and DECLARE name it.
 *
 * @param length 20 for {@code nvarchar(20)}; 0 when none is given or it is {@code max}
 */
public record TypeName(Position at, String name, int length) {}
