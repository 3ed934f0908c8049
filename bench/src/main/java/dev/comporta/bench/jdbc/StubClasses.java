package dev.comporta.bench.jdbc;

import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.Set;

/**
 * Makes a concrete class from an abstract one that implements a JDBC interface: each missing method does nothing and returns
 * zero or null. So a stub costs no more than a call, and the pool is measured.
 */
final class StubClasses {
    private StubClasses() {}

    /** @return the constructor of the new class, with the parameters of the base class' only constructor */
    static <T> Constructor<? extends T> of(Class<T> base) {
        try {
            Class<?> made = MethodHandles.lookup().defineClass(bytes(base));
            return made.asSubclass(base).getDeclaredConstructor(base.getDeclaredConstructors()[0].getParameterTypes());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] bytes(Class<?> base) {
        return ClassFile.of().build(ClassDesc.of(base.getName() + "Made"), builder -> {
            builder.withSuperclass(desc(base)).withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER);
            Class<?>[] parameters = base.getDeclaredConstructors()[0].getParameterTypes();
            MethodTypeDesc type =
                    parameters.length == 0 ? MTD_void : desc(MethodType.methodType(void.class, parameters));
            builder.withMethodBody(INIT_NAME, type, 0, code -> {
                code.aload(0);
                for (int i = 0; i < parameters.length; i++) {
                    code.loadLocal(TypeKind.from(parameters[i]), code.parameterSlot(i));
                }
                code.invokespecial(desc(base), INIT_NAME, type).return_();
            });
            Set<String> done = new HashSet<>();
            for (Method method : base.getMethods()) {
                MethodTypeDesc signature =
                        desc(MethodType.methodType(method.getReturnType(), method.getParameterTypes()));
                if (Modifier.isAbstract(method.getModifiers())
                        && done.add(method.getName() + signature.descriptorString())) {
                    builder.withMethodBody(
                            method.getName(),
                            signature,
                            ClassFile.ACC_PUBLIC,
                            code -> returnNothing(code, TypeKind.from(method.getReturnType())));
                }
            }
        });
    }

    private static void returnNothing(CodeBuilder code, TypeKind type) {
        switch (type.asLoadable()) {
            case VOID -> {}
            case INT -> code.iconst_0();
            case LONG -> code.lconst_0();
            case FLOAT -> code.fconst_0();
            case DOUBLE -> code.dconst_0();
            case REFERENCE -> code.aconst_null();
            case BOOLEAN, BYTE, CHAR, SHORT -> throw new IllegalStateException("not loadable: " + type);
        }
        code.return_(type);
    }

    private static ClassDesc desc(Class<?> type) {
        return type.describeConstable().orElseThrow();
    }

    private static MethodTypeDesc desc(MethodType type) {
        return type.describeConstable().orElseThrow();
    }
}
