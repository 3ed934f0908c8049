package dev.comporta.jdbc.generate;

import static java.lang.constant.ConstantDescs.INIT_NAME;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * Makes a class that implements every method of an interface that its abstract base class does not implement.
 *
 * <p>JDBC's interfaces have 700 methods, all alike but for a few dozen. Written out they would be 5,000 lines in which a
 * missing one would go unnoticed, and each JDK may add some. The classes made here are as fast as written ones.
 */
public final class MissingMethods {
    private final Class<?> base;
    private final Class<?> type;
    private final Class<?>[] parameters;

    private MissingMethods(Class<?> base, Class<?> type) {
        this.base = base;
        this.type = type;
        parameters = base.getDeclaredConstructors()[0].getParameterTypes();
    }

    /**
     * A subclass of {@code base} that implements {@code type}.
     *
     * @param lookup a lookup in the base class' package
     * @param suffix the suffix of its name
     * @param which selects among the methods that the base class does not implement
     * @param body writes the code of a method
     * @return its constructor, which has the parameters of the base class' only one, as a method handle that returns {@code base}
     */
    public static MethodHandle constructor(
            MethodHandles.Lookup lookup,
            Class<?> base,
            Class<?> type,
            String suffix,
            Predicate<Method> which,
            BiConsumer<CodeBuilder, Method> body) {
        MissingMethods missing = new MissingMethods(base, type);
        try {
            Class<?> made = lookup.defineClass(missing.bytes(suffix, which, body));
            return lookup.findConstructor(made, MethodType.methodType(void.class, missing.parameters))
                    .asType(MethodType.methodType(base, missing.parameters));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private byte[] bytes(String suffix, Predicate<Method> which, BiConsumer<CodeBuilder, Method> body) {
        ClassDesc made = ClassDesc.of(base.getName() + suffix);
        return ClassFile.of().build(made, builder -> {
            builder.withSuperclass(desc(base)).withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER);
            builder.withInterfaceSymbols(desc(type));
            addConstructor(builder);
            Set<String> done = new HashSet<>();
            for (Method method : type.getMethods()) {
                if (!Modifier.isStatic(method.getModifiers())
                        && !isImplemented(method)
                        && which.test(method)
                        && done.add(method.getName() + descriptor(method).descriptorString())) {
                    builder.withMethodBody(
                            method.getName(),
                            descriptor(method),
                            ClassFile.ACC_PUBLIC,
                            code -> body.accept(code, method));
                }
            }
        });
    }

    private void addConstructor(ClassBuilder builder) {
        MethodTypeDesc descriptor = MethodType.methodType(void.class, parameters)
                .describeConstable()
                .orElseThrow();
        builder.withMethodBody(INIT_NAME, descriptor, 0, code -> {
            code.aload(0);
            for (int i = 0; i < parameters.length; i++) {
                code.loadLocal(TypeKind.from(parameters[i]), code.parameterSlot(i));
            }
            code.invokespecial(desc(base), INIT_NAME, descriptor).return_();
        });
    }

    private boolean isImplemented(Method method) {
        try {
            Method found = base.getMethod(method.getName(), method.getParameterTypes());
            return !found.getDeclaringClass().isInterface() && !Modifier.isAbstract(found.getModifiers());
        } catch (NoSuchMethodException _) {
            return false;
        }
    }

    public static MethodTypeDesc descriptor(Method method) {
        return MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .describeConstable()
                .orElseThrow();
    }

    public static ClassDesc desc(Class<?> type) {
        return type.describeConstable().orElseThrow();
    }
}
