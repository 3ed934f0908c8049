package dev.comporta.tds.type;

/**
 * A value of sql_variant that is not null: it carries its own type.
 *
 * @param type the base type; its maximum length and collation are those of the variant
 */
public record SqlVariant(TypeInfo type, Object value) {}
