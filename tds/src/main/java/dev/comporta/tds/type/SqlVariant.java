package dev.comporta.tds.type;

/**
 * A sql_variant value that is not null: it carries its own type.
 *
 * @param type the base type, with the maximum length and collation of this value
 */
public record SqlVariant(TypeInfo type, Object value) {}
