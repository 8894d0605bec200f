package io.github.ratelimit.spring.client;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/** A clock and scheduler whose time passes only in waits, and then at once. */
final class SteppedOutboundClock implements OutboundClock, Scheduler {

	private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");

	private long nanos;

	private boolean interrupted;

	void pass(Duration duration) {
		this.nanos += duration.toNanos();
	}

	/** Interrupts the next wait of a thread. */
	void interrupt() {
		this.interrupted = true;
	}

	Duration passed() {
		return Duration.ofNanos(this.nanos);
	}

	@Override
	public long nanos() {
		return Long.MAX_VALUE - Duration.ofSeconds(5).toNanos() + this.nanos;
	}

	@Override
	public Instant date() {
		return START.plusNanos(this.nanos);
	}

	@Override
	public void sleep(Duration duration) throws InterruptedException {
		if (this.interrupted) {
			throw new InterruptedException();
		}
		pass(duration);
	}

	@Override
	public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
		pass(Duration.of(delay, unit.toChronoUnit()));
		return schedule(task);
	}

	@Override
	public Disposable schedule(Runnable task) {
		task.run();
		return Disposables.disposed();
	}

	@Override
	public Worker createWorker() {
		throw new UnsupportedOperationException();
	}

}
