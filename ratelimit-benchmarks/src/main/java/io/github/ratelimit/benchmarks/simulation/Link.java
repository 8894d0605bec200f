package io.github.ratelimit.benchmarks.simulation;

import java.util.List;
import java.util.SplittableRandom;

/**
 * The connection of an instance to a master, with its circuit breaker.
 */
final class Link {

	/** The default of {@code ratelimit.redis.timeout}. */
	static final double TIMEOUT = 100_000;

	private final Calendar calendar;

	private final Instance instance;

	private final Master master;

	private final double roundTrip;

	private final SplittableRandom random;

	private final Breaker breaker;

	private boolean connected = true;

	Link(Calendar calendar, Instance instance, Master master, double roundTrip, SplittableRandom random) {
		this.calendar = calendar;
		this.instance = instance;
		this.master = master;
		this.roundTrip = roundTrip;
		this.random = random;
		this.breaker = new Breaker(random);
	}

	/** Returns whether a run may be sent, which then must end. */
	boolean tryStart(Command command) {
		double now = this.calendar.now();
		if (!this.breaker.tryPass(now, command.calls())) {
			return false;
		}
		if (!this.connected) {
			this.breaker.onFailure(now, command.calls());
			return false;
		}
		this.calendar.after(TIMEOUT, () -> timedOut(command));
		return true;
	}

	void send(List<Command> commands) {
		this.calendar.after(this.roundTrip / 2, () -> this.master.receive(this, commands));
	}

	void reply(List<Command> commands) {
		this.calendar.after(this.roundTrip / 2, () -> replied(commands));
	}

	private void replied(List<Command> commands) {
		for (Command command : commands) {
			if (command.requests().isEmpty()) {
				this.connected = true;
			}
			else if (command.tryEnd()) {
				this.breaker.onSuccess();
				this.instance.replied(command);
			}
			else {
				this.breaker.onLateReply(this.calendar.now());
			}
		}
	}

	private void timedOut(Command command) {
		if (command.tryEnd()) {
			this.breaker.onFailure(this.calendar.now(), command.calls());
			this.instance.failed(command);
		}
	}

	/** Loses the connection and connects again after random pauses. */
	void disconnect() {
		this.connected = false;
		reconnect(100_000);
	}

	/** Waits for half of a time to all of it, which doubles up to half a second. */
	private void reconnect(double longest) {
		this.calendar.after(longest * this.random.nextDouble(0.5, 1), () -> {
			if (this.master.isUp()) {
				send(List.of(new Command(List.of(), false)));
			}
			else {
				reconnect(Math.min(500_000, longest * 2));
			}
		});
	}

	boolean isNormal() {
		return this.connected && !this.breaker.isOpen();
	}

}
