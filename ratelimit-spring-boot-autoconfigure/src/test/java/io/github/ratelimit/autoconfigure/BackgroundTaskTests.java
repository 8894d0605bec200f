package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class BackgroundTaskTests {

	@Test
	void runsAgainAfterAnErrorAndLogsEachKindOnce(CapturedOutput output) {
		AtomicInteger runs = new AtomicInteger();
		BackgroundTask task = new BackgroundTask("task-of-a-test", () -> {
			int run = runs.incrementAndGet();
			if (run <= 2) {
				throw new NoClassDefFoundError("a/Driver");
			}
			if (run == 3) {
				throw new StackOverflowError();
			}
		}, Duration.ofMillis(1));
		task.start();
		Awaitility.await().until(() -> runs.get() > 4);
		task.stop();
		assertThat(output).containsOnlyOnce("NoClassDefFoundError: a/Driver")
			.containsOnlyOnce("java.lang.StackOverflowError")
			.contains("A task of thread task-of-a-test failed, and runs again");
	}

}
