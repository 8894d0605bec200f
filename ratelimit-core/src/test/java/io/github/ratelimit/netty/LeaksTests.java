package io.github.ratelimit.netty;

import io.netty.util.ResourceLeakDetector;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Resources that are released or collected.
 */
class LeaksTests {

	private final Leaks leaks = new Leaks();

	private final ResourceLeakDetector<Object> detector = this.leaks.newResourceLeakDetector(Object.class);

	@Test
	void reportsOnceWhatIsCollectedBeforeItIsReleased() {
		this.detector.trackForcibly(new Object()).record("a read");
		assertThat(this.leaks.collect()).singleElement().asString().contains("Object", "a read");
		assertThat(this.leaks.collect()).isEmpty();
	}

	@Test
	void reportsNothingThatIsReleasedOrHeld() {
		Object released = new Object();
		this.detector.trackForcibly(released).close(released);
		Object held = new Object();
		this.detector.trackForcibly(held);
		assertThat(this.leaks.collect()).isEmpty();
		assertThat(held).isNotNull();
	}

}
