package io.github.ratelimit.spring.kafka;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.kafka.listener.CommonErrorHandler;

import static org.assertj.core.api.Assertions.assertThat;

class BackPressureErrorHandlerTests {

	private final List<String> called = new ArrayList<>();

	private final CommonErrorHandler own = (CommonErrorHandler) Proxy.newProxyInstance(getClass().getClassLoader(),
			new Class<?>[] { CommonErrorHandler.class }, (proxy, method, arguments) -> {
				this.called.add(method.getName());
				return value(method.getReturnType());
			});

	@ParameterizedTest
	@MethodSource
	void leavesOtherFailuresAndStateToTheHandlerOfTheApplication(Method method) throws ReflectiveOperationException {
		try (PartitionPauses pauses = new PartitionPauses(Duration.ZERO)) {
			method.invoke(new BackPressureErrorHandler(this.own, pauses),
					Stream.of(method.getParameterTypes()).map(BackPressureErrorHandlerTests::value).toArray());
		}
		assertThat(this.called).containsExactly(method.getName());
	}

	static Stream<Method> leavesOtherFailuresAndStateToTheHandlerOfTheApplication() {
		return Stream.of(CommonErrorHandler.class.getMethods()).filter((method) -> !method.getName().equals("logger"));
	}

	private static @Nullable Object value(Class<?> type) {
		if (type == Exception.class) {
			return new IllegalStateException();
		}
		if (type == boolean.class) {
			return false;
		}
		return (type == int.class) ? 1 : null;
	}

}
