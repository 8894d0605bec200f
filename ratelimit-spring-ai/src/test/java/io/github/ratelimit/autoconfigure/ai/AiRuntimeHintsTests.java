package io.github.ratelimit.autoconfigure.ai;

import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.asm.ClassWriter;
import org.springframework.asm.Opcodes;
import org.springframework.context.annotation.ImportRuntimeHints;

import static org.assertj.core.api.Assertions.assertThat;

class AiRuntimeHintsTests {

	@Test
	void letTheModuleReadTypesOfProviders() {
		RuntimeHints hints = new RuntimeHints();
		new AiRuntimeHints().registerHints(hints, new Providers());
		assertThat(AiRuntimeHints.TYPES).allSatisfy((type) -> assertThat(RuntimeHintsPredicates.reflection()
			.onType(TypeReference.of(type))
			.withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS)).accepts(hints));
	}

	@Test
	void leaveOutProvidersThatAnApplicationLacks() {
		RuntimeHints hints = new RuntimeHints();
		new AiRuntimeHints().registerHints(hints, getClass().getClassLoader());
		assertThat(hints.reflection().typeHints()).isEmpty();
	}

	@Test
	void areThoseOfTheWiring() {
		assertThat(RateLimitAiAutoConfiguration.class.getAnnotation(ImportRuntimeHints.class).value())
			.containsExactly(AiRuntimeHints.class);
	}

	/** A class loader that knows the types of all providers. */
	private static final class Providers extends ClassLoader {

		@Override
		protected Class<?> findClass(String name) throws ClassNotFoundException {
			if (!AiRuntimeHints.TYPES.contains(name)) {
				throw new ClassNotFoundException(name);
			}
			ClassWriter type = new ClassWriter(0);
			type.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, name.replace('.', '/'), null, "java/lang/Object", null);
			byte[] bytes = type.toByteArray();
			return defineClass(name, bytes, 0, bytes.length);
		}

	}

}
