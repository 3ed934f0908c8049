package dev.comporta.jdbc.explore;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Loads the classes of a package anew, with a step before each access to a volatile field or an atomic array, and with {@link
 * Steps} in the place of the lock, of parking and of the clock.
 */
public final class SteppedClasses extends ClassLoader {
    private static final ClassDesc STEPS = desc(Steps.class);
    private static final ClassDesc LOCK = desc(ReentrantLock.class);
    private static final ClassDesc THREAD = desc(Thread.class);

    /** By owner and name: the method of {@link Steps} that is called instead. */
    private static final Map<String, MethodTypeDesc> REPLACED = Map.of(
            key(LOCK, "lock"), MethodTypeDesc.of(CD_void, LOCK),
            key(LOCK, "unlock"), MethodTypeDesc.of(CD_void, LOCK),
            key(desc(LockSupport.class), "parkNanos"), MethodTypeDesc.of(CD_void, CD_Object, CD_long),
            key(desc(LockSupport.class), "unpark"), MethodTypeDesc.of(CD_void, THREAD),
            key(THREAD, "yield"), MethodTypeDesc.of(CD_void),
            key(THREAD, "isInterrupted"), MethodTypeDesc.of(CD_boolean, THREAD),
            key(THREAD, "threadId"), MethodTypeDesc.of(CD_long, THREAD),
            key(desc(System.class), "nanoTime"), MethodTypeDesc.of(CD_long));

    private final String prefix;
    private final Map<String, @Nullable ClassModel> models = new HashMap<>();

    public SteppedClasses(String packageName) {
        super(SteppedClasses.class.getClassLoader());
        prefix = packageName + ".";
    }

    private static ClassDesc desc(Class<?> type) {
        return type.describeConstable().orElseThrow();
    }

    private static String key(ClassDesc owner, String method) {
        return owner.descriptorString() + method;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(prefix)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            ClassModel model = model(name);
            if (model == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] stepped =
                    ClassFile.of().transformClass(model, ClassTransform.transformingMethodBodies(this::transform));
            return defineClass(name, stepped, 0, stepped.length);
        }
    }

    private synchronized @Nullable ClassModel model(String name) {
        return models.computeIfAbsent(name, this::read);
    }

    private @Nullable ClassModel read(String name) {
        try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
            return file == null ? null : ClassFile.of().parse(file.readAllBytes());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void transform(CodeBuilder code, CodeElement element) {
        switch (element) {
            case FieldInstruction field
            when isVolatile(field) -> {
                step(code, field.opcode() + " " + field.name().stringValue());
                code.with(field);
            }
            case InvokeInstruction call -> transform(code, call);
            default -> code.with(element);
        }
    }

    private static void transform(CodeBuilder code, InvokeInstruction call) {
        ClassDesc owner = call.owner().asSymbol();
        String name = call.name().stringValue();
        MethodTypeDesc instead = REPLACED.get(key(owner, name));
        if (instead != null) {
            code.invokestatic(STEPS, name, instead);
            return;
        }
        if (owner.equals(desc(AtomicReferenceArray.class))) {
            step(code, name);
        }
        code.with(call);
    }

    private static void step(CodeBuilder code, String where) {
        code.ldc(where).invokestatic(STEPS, "step", MethodTypeDesc.of(CD_void, CD_String));
    }

    private boolean isVolatile(FieldInstruction field) {
        String owner = field.owner().asInternalName().replace('/', '.');
        ClassModel model = owner.startsWith(prefix) ? model(owner) : null;
        return model != null
                && model.fields().stream()
                        .anyMatch(f -> f.fieldName().equalsString(field.name().stringValue())
                                && f.flags().has(AccessFlag.VOLATILE));
    }
}
