package io.github.ratelimit.spring.check;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.FieldVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.util.ClassUtils;

/**
 * The calls of the methods of a class on itself, past its proxy. They are read from the
 * bytecode of the class, its inner classes, its superclasses and its interfaces.
 */
final class OwnCalls {

	private static final String AOP_CONTEXT = "org/springframework/aop/framework/AopContext";

	private static final String LAMBDA = "lambda$";

	private final Class<?> type;

	/** The callers, by the signature of the called method. */
	private final Map<String, Caller> callers = new HashMap<>();

	/** The static methods that call a method of an argument, by its signature. */
	private final Map<String, Caller> helpers = new HashMap<>();

	/** The signatures of methods with erased types, by those that they call. */
	private final Map<String, String> bridges = new HashMap<>();

	private final Set<String> read = new HashSet<>();

	private boolean proxy;

	private OwnCalls(Class<?> type) {
		this.type = type;
	}

	static OwnCalls of(Class<?> type) {
		OwnCalls calls = new OwnCalls(type);
		List<Class<?>> owners = superclasses(type);
		owners.addAll(ClassUtils.getAllInterfacesForClassAsSet(type));
		for (Class<?> owner : owners) {
			if (owner.getClassLoader() != null) {
				calls.read(Type.getInternalName(owner), owner);
			}
		}
		return calls;
	}

	/** Returns a class and its superclasses. */
	static List<Class<?>> superclasses(Class<?> type) {
		List<Class<?>> classes = new ArrayList<>();
		for (Class<?> each = type; each != null; each = each.getSuperclass()) {
			classes.add(each);
		}
		return classes;
	}

	/** Returns whether the class looks up its own proxy. */
	boolean useProxy() {
		return this.proxy;
	}

	/** Returns a caller of a method, or null if nothing calls it past the proxy. */
	@Nullable Caller callerOf(Method method) {
		String signature = method.getName() + Type.getMethodDescriptor(method);
		Caller own = this.callers.get(signature);
		Caller bridged = (own != null) ? own : this.callers.get(this.bridges.getOrDefault(signature, signature));
		return (bridged != null) ? bridged : helperThatCalls(signature);
	}

	/** Returns a static method that gets this instance and calls its method. */
	private @Nullable Caller helperThatCalls(String signature) {
		Caller helper = this.helpers.get(signature);
		return (helper != null
				&& this.callers.keySet().stream().anyMatch((called) -> called.startsWith(helper.method + '('))) ? helper
						: null;
	}

	private void read(String name, Class<?> owner) {
		if (!this.read.add(name)) {
			return;
		}
		Reader reader = new Reader(name, owner);
		try (InputStream bytes = this.type.getResourceAsStream('/' + name + ".class")) {
			if (bytes != null) {
				new ClassReader(bytes).accept(reader, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		reader.inner.forEach((inner) -> read(inner, owner));
	}

	/**
	 * A method that calls another of its class.
	 *
	 * @param method the name of the method in whose source code the call is
	 * @param owner the class that it calls itself
	 * @param isInner whether the call is in an inner class
	 */
	record Caller(String method, Class<?> owner, boolean isInner) {

	}

	/** A reader of one class for the calls on instances of its owner. */
	private final class Reader extends ClassVisitor {

		private final String name;

		private final Class<?> owner;

		private final Set<String> inner = new HashSet<>();

		/** The method around an anonymous or local class. */
		private @Nullable String enclosing;

		/** Set if the class, or the one around it, is the owner. */
		private boolean hasOwner;

		Reader(String name, Class<?> owner) {
			super(SpringAsmInfo.ASM_VERSION);
			this.name = name;
			this.owner = owner;
			this.hasOwner = isOwner();
		}

		private boolean isOwner() {
			return this.name.equals(Type.getInternalName(this.owner));
		}

		@Override
		public void visitOuterClass(String outer, @Nullable String method, @Nullable String descriptor) {
			this.enclosing = this.hasOwner ? null : method;
		}

		@Override
		public void visitInnerClass(String inner, @Nullable String outer, @Nullable String simple, int access) {
			if (inner.startsWith(this.name + '$') && (access & Opcodes.ACC_STATIC) == 0) {
				this.inner.add(inner);
			}
		}

		@Override
		public @Nullable FieldVisitor visitField(int access, String field, String descriptor, @Nullable String generic,
				@Nullable Object value) {
			this.hasOwner |= (access & Opcodes.ACC_SYNTHETIC) != 0 && descriptor.equals(Type.getDescriptor(this.owner));
			return null;
		}

		/**
		 * Visits methods other than final ones, which run on the proxy, as it cannot
		 * override them.
		 */
		@Override
		public @Nullable MethodVisitor visitMethod(int access, String caller, String descriptor,
				@Nullable String generic, String @Nullable [] exceptions) {
			if ((access & Opcodes.ACC_BRIDGE) != 0) {
				return new Bridge(caller + descriptor);
			}
			boolean isStatic = (access & Opcodes.ACC_STATIC) != 0 && !caller.startsWith(LAMBDA);
			boolean isCalledOnProxy = (access & Opcodes.ACC_FINAL) != 0 && isOwner() && !isStatic;
			if (!this.hasOwner || isCalledOnProxy) {
				return null;
			}
			Map<String, Caller> callers = isStatic ? OwnCalls.this.helpers : OwnCalls.this.callers;
			return (!isStatic || descriptor.contains(Type.getDescriptor(this.owner)))
					? new Body(this.owner, new Caller(source(caller), this.owner, !isOwner()), callers) : null;
		}

		/** Returns the method in whose source code a method is. */
		private String source(String method) {
			return Objects.requireNonNullElse(this.enclosing,
					method.startsWith(LAMBDA) ? method.substring(LAMBDA.length(), method.lastIndexOf('$')) : method);
		}

	}

	/** The body of a method. */
	private final class Body extends MethodVisitor {

		private final Class<?> owner;

		private final Caller caller;

		private final Map<String, Caller> callers;

		Body(Class<?> owner, Caller caller, Map<String, Caller> callers) {
			super(SpringAsmInfo.ASM_VERSION);
			this.owner = owner;
			this.caller = caller;
			this.callers = callers;
		}

		/** Visits calls, of which those by {@code super} name another class. */
		@Override
		public void visitMethodInsn(int opcode, String type, String name, String called, boolean isInterface) {
			if (type.equals(Type.getInternalName(this.owner))
					|| (opcode == Opcodes.INVOKESPECIAL && !this.caller.isInner)) {
				this.callers.putIfAbsent(name + called, this.caller);
			}
			OwnCalls.this.proxy |= type.equals(AOP_CONTEXT);
		}

		/** Visits method references, of which only those to this instance capture it. */
		@Override
		public void visitInvokeDynamicInsn(String name, String captured, Handle bootstrap, Object... arguments) {
			for (Object argument : arguments) {
				if (argument instanceof Handle called && called.getOwner().equals(Type.getInternalName(this.owner))
						&& captured.startsWith('(' + Type.getDescriptor(this.owner))) {
					this.callers.putIfAbsent(called.getName() + called.getDesc(), this.caller);
				}
			}
		}

	}

	/** A method that the compiler adds, and that calls the one of the same name. */
	private final class Bridge extends MethodVisitor {

		private final String signature;

		Bridge(String signature) {
			super(SpringAsmInfo.ASM_VERSION);
			this.signature = signature;
		}

		@Override
		public void visitMethodInsn(int opcode, String type, String name, String called, boolean isInterface) {
			OwnCalls.this.bridges.putIfAbsent(name + called, this.signature);
		}

	}

}
