package io.github.ratelimit.spring.check;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.method.RateLimitedMethod;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import org.jspecify.annotations.Nullable;

import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.util.ClassUtils;

/**
 * A check for limited methods that their own class calls, past the proxy that limits
 * them. It reads the bytecode of the class, and skips classes that may have a reference
 * to their own proxy, and callers that are limited themselves.
 *
 * @param methods the limited methods
 */
public record SelfCalls(RateLimitedMethods methods) implements StartCheck {

	private static final String AOP_CONTEXT = "org/springframework/aop/framework/AopContext";

	/** The types that look beans up, among them the proxy of a class. */
	private static final List<Class<?>> LOOKUPS = List.of(ObjectFactory.class, BeanFactory.class);

	@Override
	public Stream<Finding> findings() {
		Map<Class<?>, List<RateLimitedMethod>> byClass = this.methods.all()
			.collect(Collectors.groupingBy((method) -> method.method().getDeclaringClass()));
		return byClass.entrySet().stream().flatMap((each) -> findings(each.getKey(), each.getValue()));
	}

	private static Stream<Finding> findings(Class<?> type, List<RateLimitedMethod> limited) {
		if (type.isInterface() || hasProxyOf(type)) {
			return Stream.empty();
		}
		Calls calls = calls(type);
		Set<String> names = limited.stream().map((method) -> method.method().getName()).collect(Collectors.toSet());
		return limited.stream().flatMap((method) -> {
			String caller = calls.callers.get(signature(method.method()));
			return (caller != null && !names.contains(caller) && !calls.proxy) ? Stream.of(finding(method, caller))
					: Stream.empty();
		}).distinct();
	}

	private static Finding finding(RateLimitedMethod method, String caller) {
		return new Finding(Kind.SELF_CALL, method.name(), "The method " + caller + "() of the same class calls "
				+ method.name()
				+ ", which is not limited then, as the call does not pass the proxy. Move one of them to another "
				+ "bean.");
	}

	private static boolean hasProxyOf(Class<?> type) {
		return Arrays.stream(type.getDeclaredFields())
			.map(Field::getType)
			.anyMatch((field) -> field != Object.class && (field.isAssignableFrom(type)
					|| LOOKUPS.stream().anyMatch((lookup) -> lookup.isAssignableFrom(field))));
	}

	private static String signature(Method method) {
		return method.getName() + Type.getMethodDescriptor(method);
	}

	private static Calls calls(Class<?> type) {
		Calls calls = new Calls(Type.getInternalName(type));
		try (InputStream bytes = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
			if (bytes != null) {
				new ClassReader(bytes).accept(calls, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return calls;
	}

	/** The calls in a class of its own methods. */
	private static final class Calls extends ClassVisitor {

		private static final String LAMBDA = "lambda$";

		private final String owner;

		/** The callers, by the signature of the called method. */
		private final Map<String, String> callers = new HashMap<>();

		/** Set once a method looks up the proxy of its class. */
		private boolean proxy;

		Calls(String owner) {
			super(SpringAsmInfo.ASM_VERSION);
			this.owner = owner;
		}

		@Override
		public @Nullable MethodVisitor visitMethod(int access, String caller, String descriptor, String generic,
				String[] exceptions) {
			if ((access & (Opcodes.ACC_BRIDGE | Opcodes.ACC_STATIC)) != 0 && !caller.startsWith(LAMBDA)) {
				return null;
			}
			return new MethodVisitor(SpringAsmInfo.ASM_VERSION) {

				@Override
				public void visitMethodInsn(int opcode, String type, String name, String called, boolean isInterface) {
					if (type.equals(Calls.this.owner)) {
						Calls.this.callers.putIfAbsent(name + called, name(caller));
					}
					Calls.this.proxy |= type.equals(AOP_CONTEXT);
				}

			};
		}

		/** Returns the method in whose source code a method is. */
		private static String name(String method) {
			return method.startsWith(LAMBDA) ? method.substring(LAMBDA.length(), method.lastIndexOf('$')) : method;
		}

	}

}
