package io.github.ratelimit.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.github.ratelimit.spring.control.ActiveControl;
import io.github.ratelimit.spring.control.Control;
import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.Control.Change;
import io.github.ratelimit.spring.control.Control.Limits;
import io.github.ratelimit.spring.control.ControlTime;
import io.github.ratelimit.spring.control.Origin;
import io.github.ratelimit.store.RateLimitStoreException;
import org.jspecify.annotations.Nullable;

/**
 * An operator who sets and lifts controls on one instance or another, changes the file of
 * limits, and notes what must be in effect.
 */
final class ChaosOperator implements AutoCloseable {

	private static final String HIGHER = "16/1s";

	private static final ControlTime END = ControlTime.lasting(Duration.ofHours(1));

	private final List<Known> known = new ArrayList<>();

	private final Map<String, Known> latest = new HashMap<>();

	private final List<Control> controls = new ArrayList<>(List.of(new Change("strict", List.of(HIGHER), null, null),
			new Limits("share", key("key-0"), List.of(HIGHER)), new Limits("share", key("key-1"), List.of(HIGHER))));

	private final List<ChaosInstance> instances;

	private final Path file;

	private final Random random;

	private final Thread thread = new Thread(this::run, "chaos-operator");

	private String open = "";

	private int replies;

	private int unknown;

	private @Nullable Throwable failure;

	private volatile boolean ended;

	private ChaosOperator(List<ChaosInstance> instances, Path file, Random random) {
		this.instances = instances;
		this.file = file;
		this.random = random;
		ChaosLoad.BANNED.forEach((name) -> this.controls.add(new Ban("share", key(name))));
	}

	static ChaosOperator on(List<ChaosInstance> instances, Path file, Random random) {
		ChaosOperator operator = new ChaosOperator(instances, file, random);
		operator.thread.start();
		return operator;
	}

	/** Writes the file of limits as a whole. */
	static void write(Path file, String open) {
		try {
			Path next = Files.writeString(file.resolveSibling("next"), "ratelimit.policies.open.limits=" + open + "\n");
			Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		this.ended = true;
		Timing.join(this.thread);
	}

	/** Returns why the operator stopped before the end; null if not. */
	@Nullable Throwable failure() {
		return this.failure;
	}

	/** Returns what must hold at the end, by the identifiers of controls. */
	Map<String, Known> latest() {
		return this.latest;
	}

	/** Returns all that was known about a ban, each until the next attempt. */
	List<Known> known() {
		return this.known;
	}

	/** Returns the limit of the policy {@code open} in the last valid file. */
	String open() {
		return this.open;
	}

	@Override
	public String toString() {
		return this.replies + " controls set or lifted and " + this.unknown + " without a reply";
	}

	private void run() {
		try {
			while (!this.ended) {
				if (this.random.nextInt(8) == 0) {
					reload();
				}
				else {
					control(this.controls.get(this.random.nextInt(this.controls.size())));
				}
				Timing.sleep(Duration.ofMillis(this.random.nextInt(20, 300)));
			}
			reload();
		}
		catch (RuntimeException | AssertionError ex) {
			this.failure = ex;
		}
	}

	/** Changes a limit, sometimes by way of a file that is refused. */
	private void reload() {
		if (this.random.nextInt(3) == 0) {
			write(this.file, "10 per second");
			Timing.sleep(Duration.ofMillis(this.random.nextInt(600)));
		}
		this.open = ChaosInstance.OPEN.get(this.random.nextInt(ChaosInstance.OPEN.size()));
		write(this.file, this.open);
	}

	private void control(Control control) {
		int instance = this.random.nextInt(this.instances.size());
		String id = control.kind() + '-' + control.name();
		Known before = this.latest.get(id);
		end(before);
		try {
			if (this.random.nextInt(3) == 0) {
				boolean lifted = this.instances.get(instance).controls().lift(id);
				know(id, lifted ? new Known(control, instance, null) : again(before));
			}
			else {
				ActiveControl set = this.instances.get(instance)
					.controls()
					.replace(control, END, Origin.operator("chaos", null))
					.control();
				know(id, new Known(control, instance, set));
			}
			this.replies++;
		}
		catch (RateLimitStoreException ex) {
			this.latest.remove(id);
			this.unknown++;
		}
	}

	private static void end(@Nullable Known before) {
		if (before != null) {
			before.end = System.nanoTime();
		}
	}

	/** Returns what holds on, as an instance has just lost and not yet read a control. */
	private static @Nullable Known again(@Nullable Known before) {
		return (before != null) ? new Known(before.control, before.instance, before.active) : null;
	}

	private void know(String id, @Nullable Known now) {
		if (now != null) {
			this.latest.put(id, now);
			this.known.add(now);
		}
	}

	private static String key(String name) {
		return "header:x-key:" + name;
	}

	/** A control that is in effect or lifted on the instance that an operator called. */
	static final class Known {

		private final long begin = System.nanoTime();

		private final Control control;

		private final int instance;

		private final @Nullable ActiveControl active;

		private long end = Long.MAX_VALUE;

		private Known(Control control, int instance, @Nullable ActiveControl active) {
			this.control = control;
			this.instance = instance;
			this.active = active;
		}

		/** Returns the control in effect; null if it was lifted. */
		@Nullable ActiveControl active() {
			return this.active;
		}

		/** Returns whether a call is one of a banned key in the time of this ban. */
		boolean concerns(ChaosCall call) {
			return this.control instanceof Ban ban && ban.key().equals(key(call.key()))
					&& call.instance() == this.instance && call.begin() - this.begin > 0 && call.end() < this.end;
		}

	}

}
