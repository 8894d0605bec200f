package io.github.ratelimit.netty;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * A listener that fails a JVM of tests in which a buffer of Netty was not released. It is
 * registered wherever these tests are on the class path.
 */
public final class LeakListener implements LauncherSessionListener, TestExecutionListener {

	private final List<String> found = new ArrayList<>();

	private @Nullable Leaks leaks;

	@Override
	public void launcherSessionOpened(LauncherSession session) {
		if (hasNetty()) {
			this.leaks = Leaks.ofThisJvm();
			session.getLauncher().registerTestExecutionListeners(this);
		}
	}

	private static boolean hasNetty() {
		return LeakListener.class.getClassLoader().getResource("io/netty/util/ResourceLeakDetector.class") != null;
	}

	@Override
	public void executionFinished(TestIdentifier test, TestExecutionResult result) {
		if (this.leaks != null && test.getSource().filter(ClassSource.class::isInstance).isPresent()
				&& this.leaks.isEachBufferTracked()) {
			add(this.leaks, test.getLegacyReportingName());
		}
	}

	@Override
	public void launcherSessionClosed(LauncherSession session) {
		if (this.leaks != null) {
			add(this.leaks, "the last class");
		}
		if (!this.found.isEmpty()) {
			throw new IllegalStateException("Buffers were not released. " + String.join("\n", this.found));
		}
	}

	private void add(Leaks leaks, String last) {
		leaks.collect().forEach((leak) -> this.found.add("Found after " + last + ": " + leak));
	}

}
