package io.github.ratelimit.autoconfigure;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lives of an application one after the other in one JVM, each with a class loader of its
 * own, as a container redeploys it.
 */
final class Redeployments {

	private Redeployments() {
	}

	/**
	 * Weak references to the class loaders, which should be all that is left of the
	 * lives. One more life comes last, as the JVM remembers the record type that was
	 * compared last. The container's libraries are in use before, as their threads and
	 * converters would keep the class loader that uses them first.
	 */
	static List<WeakReference<ClassLoader>> run(int lives, String... properties) {
		useLibrariesOfTheContainer();
		return Stream.generate(() -> run(properties)).limit(lives + 1).toList().subList(0, lives);
	}

	private static void useLibrariesOfTheContainer() {
		Flux.range(0, Schedulers.DEFAULT_POOL_SIZE).flatMap((worker) -> Mono.fromRunnable(() -> {
		}).subscribeOn(Schedulers.parallel())).blockLast();
		assertThat(Binder.get(new StandardEnvironment()).bind("java.version", String.class).isBound()).isTrue();
	}

	/** The number of class loaders that are still there after a while. */
	static long left(List<WeakReference<ClassLoader>> loaders) throws InterruptedException {
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
		while (count(loaders) > 0 && System.nanoTime() < end) {
			clearSoftReferences();
			TimeUnit.MILLISECONDS.sleep(100);
		}
		return count(loaders);
	}

	private static long count(List<WeakReference<ClassLoader>> loaders) {
		return loaders.stream().filter((loader) -> loader.get() != null).count();
	}

	@SuppressWarnings("unchecked")
	private static WeakReference<ClassLoader> run(String[] properties) {
		Thread thread = Thread.currentThread();
		ClassLoader container = thread.getContextClassLoader();
		try (War war = new War()) {
			thread.setContextClassLoader(war);
			Consumer<String[]> application = Class.forName(RedeployedApplication.class.getName(), true, war)
				.asSubclass(Consumer.class)
				.getDeclaredConstructor()
				.newInstance();
			application.accept(properties);
			return new WeakReference<>(war);
		}
		catch (ReflectiveOperationException | IOException ex) {
			throw new IllegalStateException(ex);
		}
		finally {
			thread.setContextClassLoader(container);
		}
	}

	/**
	 * Asks for more memory than there can be: caches of the container's libraries hold
	 * some until memory is short.
	 */
	private static void clearSoftReferences() {
		int length = Integer.MAX_VALUE - 8;
		try {
			long[][] unused = new long[(int) (Runtime.getRuntime().maxMemory() / (8L * length)) + 1][length];
		}
		catch (OutOfMemoryError ex) {
			System.gc();
		}
	}

	/**
	 * Loads the project's classes itself, and libraries by the container.
	 */
	private static final class War extends URLClassLoader {

		War() {
			super(Stream
				.of(RateLimiter.class, KeyResolvers.class, RedisRateLimitStore.class, RateLimitAutoConfiguration.class,
						Redeployments.class)
				.map((type) -> type.getProtectionDomain().getCodeSource().getLocation())
				.toArray(URL[]::new), Redeployments.class.getClassLoader());
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (!name.startsWith("io.github.ratelimit.")) {
				return super.loadClass(name, resolve);
			}
			synchronized (getClassLoadingLock(name)) {
				Class<?> known = findLoadedClass(name);
				return (known != null) ? known : findClass(name);
			}
		}

	}

}
