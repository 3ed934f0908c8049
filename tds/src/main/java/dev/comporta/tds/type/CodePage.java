package dev.comporta.tds.type;

import java.nio.charset.Charset;

/** Which code page a collation's CHAR data is in. What is not listed is windows-1252, as SQL Server's default is. */
final class CodePage {
    private static final Charset CP1252 = Charset.forName("windows-1252");

    private CodePage() {}

    /** By the sort order of a SQL collation (the names in sys.fn_helpcollations that begin with SQL_). */
    static Charset ofSortId(int sortId) {
        if (sortId >= 30 && sortId <= 34) {
            return charset("IBM437");
        }
        if ((sortId >= 40 && sortId <= 49) || (sortId >= 55 && sortId <= 61)) {
            return charset("IBM850");
        }
        if (sortId >= 80 && sortId <= 98) {
            return charset("windows-1250");
        }
        if (sortId >= 104 && sortId <= 108) {
            return charset("windows-1251");
        }
        if (sortId >= 112 && sortId <= 124) {
            return charset("windows-1253");
        }
        if (sortId >= 128 && sortId <= 130) {
            return charset("windows-1254");
        }
        if (sortId >= 136 && sortId <= 138) {
            return charset("windows-1255");
        }
        if (sortId >= 144 && sortId <= 146) {
            return charset("windows-1256");
        }
        if (sortId >= 152 && sortId <= 160) {
            return charset("windows-1257");
        }
        return switch (sortId) {
            case 192, 193, 200 -> charset("windows-31j");
            case 194, 195, 201 -> charset("x-windows-949");
            case 196, 197, 202 -> charset("x-windows-950");
            case 198, 199, 203 -> charset("GBK");
            case 204, 205, 206 -> charset("x-windows-874");
            default -> CP1252;
        };
    }

    /** By the locale of a Windows collation. The sort variants in bits 16 to 19 don't change the code page. */
    static Charset ofLcid(int lcid) {
        return switch (lcid & 0xFFFF) {
            case 0x0405,
                    0x040E,
                    0x0415,
                    0x0418,
                    0x041A,
                    0x041B,
                    0x041C,
                    0x0424,
                    0x0442,
                    0x081A,
                    0x101A,
                    0x141A,
                    0x241A -> charset("windows-1250");
            case 0x0402,
                    0x0419,
                    0x0422,
                    0x0423,
                    0x042F,
                    0x043F,
                    0x0440,
                    0x0444,
                    0x0450,
                    0x046D,
                    0x0485,
                    0x082C,
                    0x0843,
                    0x0C1A,
                    0x1C1A,
                    0x201A,
                    0x281A -> charset("windows-1251");
            case 0x0408 -> charset("windows-1253");
            case 0x041F, 0x042C, 0x0443 -> charset("windows-1254");
            case 0x040D -> charset("windows-1255");
            case 0x0401,
                    0x0420,
                    0x0429,
                    0x0480,
                    0x048C,
                    0x0801,
                    0x0C01,
                    0x1001,
                    0x1401,
                    0x1801,
                    0x1C01,
                    0x2001,
                    0x2401,
                    0x2801,
                    0x2C01,
                    0x3001,
                    0x3401,
                    0x3801,
                    0x3C01,
                    0x4001 -> charset("windows-1256");
            case 0x0425, 0x0426, 0x0427, 0x0827 -> charset("windows-1257");
            case 0x042A -> charset("windows-1258");
            case 0x041E -> charset("x-windows-874");
            case 0x0411 -> charset("windows-31j");
            case 0x0804, 0x1004 -> charset("GBK");
            case 0x0412 -> charset("x-windows-949");
            case 0x0404, 0x0C04, 0x1404 -> charset("x-windows-950");
            default -> CP1252;
        };
    }

    /** The extended code pages are in a module of the JDK that a small runtime image may lack: fall back, don't fail. */
    private static Charset charset(String name) {
        return Charset.isSupported(name) ? Charset.forName(name) : CP1252;
    }
}
