package dev.comporta.tds.token;

import dev.comporta.tds.type.TypeInfo;
import java.util.List;

/**
 * A column of a result, as in COLMETADATA.
 *
 * @param userType 0 except for types to which SQL Server gives a number of their own, such as 80 for rowversion
 * @param flags bits of this class
 * @param table the parts of the base table's name: sent for TEXT, NTEXT and IMAGE only
 */
public record ColumnMetadata(String name, long userType, int flags, TypeInfo type, List<String> table) {
    public static final int NULLABLE = 0x0001;
    public static final int CASE_SENSITIVE = 0x0002;
    public static final int UPDATABLE = 0x0004;
    public static final int UPDATABLE_UNKNOWN = 0x0008;
    public static final int IDENTITY = 0x0010;
    public static final int COMPUTED = 0x0020;
    public static final int FIXED_LENGTH_CLR_TYPE = 0x0100;
    public static final int SPARSE_COLUMN_SET = 0x0400;
    public static final int ENCRYPTED = 0x0800;
    public static final int HIDDEN = 0x2000;
    public static final int KEY = 0x4000;
    public static final int NULLABLE_UNKNOWN = 0x8000;

    public ColumnMetadata {
        table = List.copyOf(table);
    }

    /** A column of an ordinary table or expression. */
    public ColumnMetadata(String name, TypeInfo type, boolean nullable, boolean identity) {
        this(name, 0, UPDATABLE_UNKNOWN | (nullable ? NULLABLE : 0) | (identity ? IDENTITY : 0), type, List.of());
    }

    public ColumnMetadata(String name, TypeInfo type) {
        this(name, type, true, false);
    }
}
