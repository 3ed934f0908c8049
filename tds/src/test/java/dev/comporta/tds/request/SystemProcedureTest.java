package dev.comporta.tds.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SystemProcedureTest {
    @Test
    void numbersAndNamesMeanTheSameProcedures() {
        // MS-TDS 2.2.6.6, ProcID.
        List<String> names = List.of(
                "sp_cursor",
                "sp_cursoropen",
                "sp_cursorprepare",
                "sp_cursorexecute",
                "sp_cursorprepexec",
                "sp_cursorunprepare",
                "sp_cursorfetch",
                "sp_cursoroption",
                "sp_cursorclose",
                "sp_executesql",
                "sp_prepare",
                "sp_execute",
                "sp_prepexec",
                "sp_prepexecrpc",
                "sp_unprepare");
        for (int id = 1; id <= 15; id++) {
            String name = names.get(id - 1);
            assertThat(SystemProcedure.isKnown(id)).as(name).isTrue();
            assertThat(SystemProcedure.name(id)).isEqualTo(name);
            assertThat(SystemProcedure.byName(name)).as(name).isEqualTo(id);
        }
        assertThat(SystemProcedure.isKnown(16)).isFalse();
        assertThat(SystemProcedure.name(0xFFFF)).isEmpty();
    }

    @Test
    void namesAreFoundHoweverTheyAreWritten() {
        assertThat(SystemProcedure.byName("SP_ExecuteSQL")).isEqualTo(SystemProcedure.EXECUTE_SQL);
        assertThat(SystemProcedure.byName("sys.sp_prepexec")).isEqualTo(SystemProcedure.PREP_EXEC);
        assertThat(SystemProcedure.byName("DBO.sp_execute")).isEqualTo(SystemProcedure.EXECUTE);
        assertThat(SystemProcedure.byName("[sys].[sp_cursoropen]")).isEqualTo(SystemProcedure.CURSOR_OPEN);
    }

    /** Such a name may be a user's own procedure, or run in another database or on another server. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "app.sp_executesql",
                "[app].[sp_executesql]",
                "[x.sp_executesql]",
                "[x[sp_executesql]",
                "sp_executesql]",
                "[sp_executesql",
                ".sp_executesql",
                "master..sp_execute",
                "Other.dbo.sp_prepexec",
                "LINKED.master.dbo.sp_prepexec",
                "LINKED.master.sys.sp_execute",
            })
    void aNameThatMayMeanAnotherIsNone(String name) {
        assertThat(SystemProcedure.byName(name)).isEqualTo(SystemProcedure.NONE);
    }

    @Test
    void otherNamesAreNone() {
        for (String name : new String[] {"", "]", "[", ".", "sp_executesq", "sp_executesql2", "xsp_execute", "dbo.p"}) {
            assertThat(SystemProcedure.byName(name)).as(name).isEqualTo(SystemProcedure.NONE);
        }
    }
}
