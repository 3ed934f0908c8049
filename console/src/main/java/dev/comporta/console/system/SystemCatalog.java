package dev.comporta.console.system;

import dev.comporta.console.table.Catalog;
import dev.comporta.console.table.Column;
import dev.comporta.console.table.Row;
import dev.comporta.console.table.View;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The host's views and, generated from them, the system views that drivers and tools read: those views and columns that
 * mssql-jdbc's DatabaseMetaData and DBeaver query.
 */
public final class SystemCatalog {
    private final Catalog catalog;
    private final List<CatalogObject> objects;

    public SystemCatalog(String database, List<View> hostViews) {
        List<View> systemViews = new ArrayList<>();
        // The system views also list one another: the supplier is called after all are known.
        Supplier<List<CatalogObject>> described = () -> CatalogObject.of(hostViews, systemViews);
        systemViews.addAll(ObjectViews.of(database, described));
        systemViews.addAll(InformationSchema.of(database, described));
        systemViews.addAll(EmptyViews.all());
        this.objects = CatalogObject.of(hostViews, systemViews);
        List<View> all = new ArrayList<>(hostViews);
        all.addAll(systemViews);
        this.catalog = new Catalog(database, all);
    }

    public Catalog catalog() {
        return catalog;
    }

    List<CatalogObject> objects() {
        return objects;
    }

    static View view(String schema, String name, List<Column> columns, Supplier<List<Row>> rows) {
        return new View(schema, name, "", "As in SQL Server, for drivers and tools.", columns, rows);
    }
}
