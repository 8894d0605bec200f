package io.github.ratelimit.netty;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;

/**
 * The resources of Netty that were collected before they were released.
 */
final class Leaks extends ResourceLeakDetectorFactory {

	private final Queue<ResourceLeakDetector<?>> detectors = new ConcurrentLinkedQueue<>();

	private final Queue<String> reported = new ConcurrentLinkedQueue<>();

	/** Returns those of this JVM. Netty must not have been used before the first call. */
	static Leaks ofThisJvm() {
		if (ResourceLeakDetectorFactory.instance() instanceof Leaks leaks) {
			return leaks;
		}
		Leaks leaks = new Leaks();
		ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(leaks);
		return leaks;
	}

	@Override
	@SuppressWarnings("deprecation") // there is no other
	public <T> ResourceLeakDetector<T> newResourceLeakDetector(Class<T> type, int interval, long maxActive) {
		ResourceLeakDetector<T> detector = new Detector<>(type, interval);
		this.detectors.add(detector);
		return detector;
	}

	boolean isEachBufferTracked() {
		return ResourceLeakDetector.getLevel() == ResourceLeakDetector.Level.PARANOID;
	}

	/** Collects garbage. Returns the leaks that no earlier call returned. */
	List<String> collect() {
		if (!this.detectors.isEmpty()) {
			// The references of one collection are enqueued before those of the next.
			collectGarbage();
			collectGarbage();
			this.detectors.forEach(Leaks::report);
		}
		List<String> leaks = new ArrayList<>();
		this.reported.removeIf(leaks::add);
		return leaks;
	}

	@SuppressWarnings("ReferenceEquality") // of the reference itself
	private static void collectGarbage() {
		ReferenceQueue<Object> queue = new ReferenceQueue<>();
		Reference<Object> garbage = new WeakReference<>(new Object(), queue);
		System.gc();
		try {
			if (queue.remove(Duration.ofSeconds(20).toMillis()) != garbage) {
				throw new IllegalStateException("No garbage was collected");
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Has a detector report, as it does when it tracks something. */
	@SuppressWarnings("unchecked")
	private static <T> void report(ResourceLeakDetector<T> detector) {
		T released = (T) new Object();
		detector.trackForcibly(released).close(released);
	}

	private final class Detector<T> extends ResourceLeakDetector<T> {

		private Detector(Class<T> type, int interval) {
			super(type, interval);
		}

		@Override
		protected boolean needReport() {
			return true;
		}

		@Override
		protected void reportTracedLeak(String type, String records) {
			Leaks.this.reported.add(type + records);
		}

		@Override
		protected void reportUntracedLeak(String type) {
			Leaks.this.reported.add(type);
		}

	}

}
