package dev.comporta.console.system;

import dev.comporta.console.table.Schema;
import dev.comporta.console.table.View;
import java.util.ArrayList;
import java.util.List;

/**
 * A view as the catalog lists it. A view of the host is listed twice, in {@code sys} and in {@code dbo}: tools hide system
 * schemas from people.
 *
 * @param ofHost whether it is a view of the host, not a system view
 */
record CatalogObject(int id, Schema schema, View view, boolean ofHost) {
    private static final int FIRST_IN_DBO = 1_000_001;
    private static final int FIRST_IN_SYS = 2_000_001;
    private static final int FIRST_OF_CATALOG = 3_000_001;

    static List<CatalogObject> of(List<View> hostViews, List<View> systemViews) {
        List<CatalogObject> objects = new ArrayList<>();
        for (int i = 0; i < hostViews.size(); i++) {
            objects.add(new CatalogObject(FIRST_IN_DBO + i, Schema.DBO, hostViews.get(i), true));
        }
        for (int i = 0; i < hostViews.size(); i++) {
            objects.add(new CatalogObject(FIRST_IN_SYS + i, Schema.SYS, hostViews.get(i), true));
        }
        for (int i = 0; i < systemViews.size(); i++) {
            View view = systemViews.get(i);
            Schema schema = Schema.named(view.schema()).orElseThrow();
            objects.add(new CatalogObject(FIRST_OF_CATALOG + i, schema, view, false));
        }
        return objects;
    }

    boolean inDbo() {
        return schema == Schema.DBO;
    }
}
