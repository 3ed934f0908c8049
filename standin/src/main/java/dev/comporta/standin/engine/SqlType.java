package dev.comporta.standin.engine;

/**
 * A SQL Server type as a column, parameter or variable has it.
 *
 * @param length of character and binary types, in characters or bytes; {@link #MAX} for (max); otherwise 0
 * @param precision of DECIMAL and NUMERIC; otherwise 0
 * @param scale of DECIMAL and NUMERIC, and the fractional seconds' digits of TIME, DATETIME2 and DATETIMEOFFSET
 */
public record SqlType(Name name, int length, int precision, int scale) {
    public static final int MAX = -1;

    /** The names, each with the Java class that carries its values here. */
    public enum Name {
        BIT(Boolean.class),
        TINYINT(Short.class),
        SMALLINT(Short.class),
        INT(Integer.class),
        BIGINT(Long.class),
        DECIMAL(java.math.BigDecimal.class),
        NUMERIC(java.math.BigDecimal.class),
        SMALLMONEY(java.math.BigDecimal.class),
        MONEY(java.math.BigDecimal.class),
        REAL(Float.class),
        FLOAT(Double.class),
        DATE(java.time.LocalDate.class),
        TIME(java.time.LocalTime.class),
        DATETIME(java.time.LocalDateTime.class),
        SMALLDATETIME(java.time.LocalDateTime.class),
        DATETIME2(java.time.LocalDateTime.class),
        DATETIMEOFFSET(java.time.OffsetDateTime.class),
        CHAR(String.class),
        VARCHAR(String.class),
        TEXT(String.class),
        NCHAR(String.class),
        NVARCHAR(String.class),
        NTEXT(String.class),
        BINARY(byte[].class),
        VARBINARY(byte[].class),
        IMAGE(byte[].class),
        ROWVERSION(byte[].class),
        UNIQUEIDENTIFIER(java.util.UUID.class),
        XML(String.class),
        SQL_VARIANT(Object.class);

        private final Class<?> javaClass;

        Name(Class<?> javaClass) {
            this.javaClass = javaClass;
        }

        public Class<?> javaClass() {
            return javaClass;
        }
    }
}
