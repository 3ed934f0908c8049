package dev.comporta.console.system;

import dev.comporta.console.table.Column;
import dev.comporta.console.table.View;
import java.util.ArrayList;
import java.util.List;

/** System views of objects that a console does not have: tables, keys, procedures. Tools join them nevertheless. */
final class EmptyViews {
    /** Names and columns; OBJECT stands for the columns that all objects have. */
    private static final String VIEWS = """
            tables: OBJECT, is_external bit, temporal_type int, is_memory_optimized bit, is_filetable bit
            procedures: OBJECT
            synonyms: OBJECT, base_object_name nvarchar
            sequences: OBJECT, start_value bigint, increment bigint, minimum_value bigint, maximum_value bigint, \
                current_value bigint, is_cycling bit, is_cached bit
            key_constraints: OBJECT, unique_index_id int, is_system_named bit, is_enforced bit
            check_constraints: OBJECT, is_disabled bit, parent_column_id int, definition nvarchar, \
                is_system_named bit
            default_constraints: OBJECT, parent_column_id int, definition nvarchar, is_system_named bit
            foreign_keys: OBJECT, referenced_object_id int, key_index_id int, is_disabled bit, \
                delete_referential_action int, update_referential_action int, is_system_named bit
            foreign_key_columns: constraint_object_id int, constraint_column_id int, parent_object_id int, \
                parent_column_id int, referenced_object_id int, referenced_column_id int
            indexes: object_id int, name nvarchar, index_id int, type int, type_desc nvarchar, is_unique bit, \
                data_space_id int, is_primary_key bit, is_unique_constraint bit, fill_factor int, is_disabled bit, \
                is_hypothetical bit, has_filter bit, filter_definition nvarchar
            index_columns: object_id int, index_id int, index_column_id int, column_id int, key_ordinal int, \
                partition_ordinal int, is_descending_key bit, is_included_column bit
            computed_columns: object_id int, name nvarchar, column_id int, definition nvarchar, is_persisted bit
            identity_columns: object_id int, name nvarchar, column_id int, seed_value bigint, \
                increment_value bigint, last_value bigint
            triggers: name nvarchar, object_id int, parent_class int, parent_class_desc nvarchar, parent_id int, \
                type nvarchar, type_desc nvarchar, create_date datetime2, modify_date datetime2, is_ms_shipped bit, \
                is_disabled bit, is_instead_of_trigger bit
            trigger_events: object_id int, type int, type_desc nvarchar
            parameters all_parameters: object_id int, name nvarchar, parameter_id int, system_type_id int, \
                user_type_id int, max_length int, precision int, scale int, is_output bit, has_default_value bit, \
                default_value nvarchar
            sql_modules all_sql_modules: object_id int, definition nvarchar, uses_ansi_nulls bit, \
                uses_quoted_identifier bit
            table_types: name nvarchar, system_type_id int, user_type_id int, schema_id int, \
                type_table_object_id int, is_user_defined bit, is_table_type bit
            partitions: partition_id bigint, object_id int, index_id int, partition_number int, hobt_id bigint, \
                rows bigint
            allocation_units: allocation_unit_id bigint, type int, type_desc nvarchar, container_id bigint, \
                total_pages bigint, used_pages bigint, data_pages bigint
            master_files: database_id int, file_id int, type int, type_desc nvarchar, name nvarchar, \
                physical_name nvarchar, size int
            dm_db_partition_stats: partition_id bigint, object_id int, index_id int, partition_number int, \
                used_page_count bigint, row_count bigint
            server_principals: name nvarchar, principal_id int, type nvarchar, type_desc nvarchar, is_disabled bit, \
                create_date datetime2, modify_date datetime2, default_database_name nvarchar, \
                default_language_name nvarchar
            database_principals: name nvarchar, principal_id int, type nvarchar, type_desc nvarchar, \
                default_schema_name nvarchar, create_date datetime2, modify_date datetime2, is_fixed_role bit
            """;

    private EmptyViews() {}

    static List<View> all() {
        List<View> views = new ArrayList<>();
        VIEWS.replace("OBJECT", ObjectViews.OBJECT).lines().forEach(line -> {
            int colon = line.indexOf(": ");
            List<Column> columns = Columns.of(line.substring(colon + 2));
            for (String name : line.substring(0, colon).split(" ", -1)) {
                views.add(SystemCatalog.view(View.SYS, name, columns, List::of));
            }
        });
        return views;
    }
}
