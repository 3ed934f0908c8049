package dev.comporta.standin.engine;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.UUID;

/**
 * The SQL Server type of a column, parameter or variable.
 *
 * @param length of character and binary types, in characters or bytes; {@link #MAX} for (max); otherwise 0
 * @param precision of DECIMAL and NUMERIC; otherwise 0
 * @param scale of DECIMAL and NUMERIC, and the fractional seconds' digits of TIME, DATETIME2 and DATETIMEOFFSET
 */
public record SqlType(Name name, int length, int precision, int scale) {
    public static final int MAX = -1;

    /** The names, each with its number in the catalog and the Java class of its values here. */
    public enum Name {
        BIT(104, Boolean.class),
        TINYINT(48, Short.class),
        SMALLINT(52, Short.class),
        INT(56, Integer.class),
        BIGINT(127, Long.class),
        DECIMAL(106, BigDecimal.class),
        NUMERIC(108, BigDecimal.class),
        SMALLMONEY(122, BigDecimal.class),
        MONEY(60, BigDecimal.class),
        REAL(59, Float.class),
        FLOAT(62, Double.class),
        DATE(40, LocalDate.class),
        TIME(41, LocalTime.class),
        DATETIME(61, LocalDateTime.class),
        SMALLDATETIME(58, LocalDateTime.class),
        DATETIME2(42, LocalDateTime.class),
        DATETIMEOFFSET(43, OffsetDateTime.class),
        CHAR(175, String.class),
        VARCHAR(167, String.class),
        TEXT(35, String.class),
        NCHAR(239, String.class),
        NVARCHAR(231, String.class),
        NTEXT(99, String.class),
        BINARY(173, byte[].class),
        VARBINARY(165, byte[].class),
        IMAGE(34, byte[].class),
        ROWVERSION(189, byte[].class),
        UNIQUEIDENTIFIER(36, UUID.class),
        XML(241, String.class),
        SQL_VARIANT(98, Object.class);

        private final int id;
        private final Class<?> javaClass;

        Name(int id, Class<?> javaClass) {
            this.id = id;
            this.javaClass = javaClass;
        }

        /** system_type_id; for built-in types user_type_id as well. */
        public int id() {
            return id;
        }

        public Class<?> javaClass() {
            return javaClass;
        }
    }
}
