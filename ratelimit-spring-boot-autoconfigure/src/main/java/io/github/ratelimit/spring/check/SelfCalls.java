package io.github.ratelimit.spring.check;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.method.RateLimitedMethod;
import io.github.ratelimit.spring.method.RateLimitedMethods;

import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.util.ClassUtils;

/**
 * A check for limited methods that their own class calls, past the proxy that limits
 * them. It reads the bytecode of the class, and skips classes that have a reference to
 * their own proxy.
 *
 * @param methods the limited methods
 */
public record SelfCalls(RateLimitedMethods methods) implements StartCheck {

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
		Map<String, String> callers = callers(type);
		return limited.stream().distinct().flatMap((method) -> {
			String caller = callers.get(signature(method.method()));
			return (caller != null) ? Stream.of(finding(method, caller)) : Stream.empty();
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
			.anyMatch((field) -> field.getType() != Object.class && field.getType().isAssignableFrom(type));
	}

	private static String signature(Method method) {
		return method.getName() + Type.getMethodDescriptor(method);
	}

	/** Returns the signatures of own methods that a class calls, and the callers. */
	private static Map<String, String> callers(Class<?> type) {
		Map<String, String> callers = new LinkedHashMap<>();
		try (InputStream bytes = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
			if (bytes != null) {
				new ClassReader(bytes).accept(new Calls(Type.getInternalName(type), callers),
						ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return callers;
	}

	private static final class Calls extends ClassVisitor {

		private final String owner;

		private final Map<String, String> callers;

		Calls(String owner, Map<String, String> callers) {
			super(SpringAsmInfo.ASM_VERSION);
			this.owner = owner;
			this.callers = callers;
		}

		@Override
		public MethodVisitor visitMethod(int access, String caller, String descriptor, String generic,
				String[] exceptions) {
			return new MethodVisitor(SpringAsmInfo.ASM_VERSION) {

				@Override
				public void visitMethodInsn(int opcode, String type, String name, String called, boolean isInterface) {
					if (type.equals(Calls.this.owner)) {
						Calls.this.callers.putIfAbsent(name + called, caller);
					}
				}

			};
		}

	}

}
