package dev.comporta.tds.type;

import java.nio.charset.Charset;
import java.util.HashMap;
import java.util.Map;

/** The code page of a collation's CHAR data. Collations that are not listed use windows-1252, SQL Server's default. */
final class CodePage {
    private static final Charset CP1252 = Charset.forName("windows-1252");

    /** By the sort order of a SQL collation (the names in sys.fn_helpcollations that begin with SQL_). */
    private static final Map<Integer, Charset> BY_SORT_ID = table(10, """
            IBM437 30-34
            IBM850 40-49 55-61
            windows-1250 80-98
            windows-1251 104-108
            windows-1253 112-124
            windows-1254 128-130
            windows-1255 136-138
            windows-1256 144-146
            windows-1257 152-160
            windows-31j 192 193 200
            x-windows-949 194 195 201
            x-windows-950 196 197 202
            GBK 198 199 203
            x-windows-874 204 205 206
            """);

    /** By the locale of a Windows collation. */
    private static final Map<Integer, Charset> BY_LCID = table(16, """
            windows-1250 0405 040E 0415 0418 041A 041B 041C 0424 0442 081A 101A 141A 241A
            windows-1251 0402 0419 0422 0423 042F 043F 0440 0444 0450 046D 0485 082C 0843 0C1A 1C1A 201A 281A
            windows-1253 0408
            windows-1254 041F 042C 0443
            windows-1255 040D
            windows-1256 0401 0420 0429 0480 048C 0801 0C01 1001 1401 1801 1C01 2001 2401 2801 2C01 3001 3401 3801
            windows-1256 3C01 4001
            windows-1257 0425 0426 0427 0827
            windows-1258 042A
            x-windows-874 041E
            windows-31j 0411
            GBK 0804 1004
            x-windows-949 0412
            x-windows-950 0404 0C04 1404
            """);

    private CodePage() {}

    static Charset ofSortId(int sortId) {
        return BY_SORT_ID.getOrDefault(sortId, CP1252);
    }

    /** The sort variants in bits 16 to 19 don't change the code page. */
    static Charset ofLcid(int lcid) {
        return BY_LCID.getOrDefault(lcid & 0xFFFF, CP1252);
    }

    /** @param rows one code page in each, with the numbers and ranges of numbers that use it; all others use CP1252 */
    private static Map<Integer, Charset> table(int radix, String rows) {
        Map<Integer, Charset> table = new HashMap<>();
        for (String row : rows.split("\n", -1)) {
            String[] words = row.split(" ", -1);
            for (int i = 1; i < words.length; i++) {
                String[] ends = words[i].split("-", -1);
                int last = Integer.parseInt(ends[ends.length - 1], radix);
                for (int number = Integer.parseInt(ends[0], radix); number <= last; number++) {
                    table.put(number, charset(words[0]));
                }
            }
        }
        return table;
    }

    /** The extended code pages are in a JDK module that a small runtime image may lack: fall back, don't fail. */
    private static Charset charset(String name) {
        return Charset.isSupported(name) ? Charset.forName(name) : CP1252;
    }
}
