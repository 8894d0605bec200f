package io.github.ratelimit.benchmarks.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Consumer;

import io.github.ratelimit.benchmarks.simulation.Command.Call;
import io.github.ratelimit.benchmarks.simulation.Command.Request;
import org.jspecify.annotations.Nullable;

/**
 * An application instance: an event loop, threads that call, and the rules that save
 * round trips, which are coalescing, batching, cached denials and prefetched permits.
 */
final class Instance {

	private static final double LONGEST_DENIAL = 1_000_000;

	private static final double WINDOW = 1_000_000;

	private static final double SHORTEST_PREFETCH = 1000;

	private final Calendar calendar;

	private final Setup setup;

	private final Processors processors;

	private final Tally tally;

	private final SplittableRandom random;

	private final Worker loop;

	private final List<Link> links = new ArrayList<>();

	private final @Nullable Batcher batcher;

	private final Map<Integer, KeyQueue> queues = new HashMap<>();

	private final Map<Integer, Double> deniedUntil = new HashMap<>();

	private final Map<Integer, Prefetch> prefetches = new HashMap<>();

	private Map<Link, List<Command>> unsent = new LinkedHashMap<>();

	private boolean inLoop;

	private boolean hasRead;

	private boolean stopped;

	Instance(Calendar calendar, Setup setup, Processors processors, Tally tally, SplittableRandom random) {
		this.calendar = calendar;
		this.setup = setup;
		this.processors = processors;
		this.tally = tally;
		this.random = random;
		this.loop = new Worker(processors, setup.costs().client().wake(), Integer.MAX_VALUE, this::flush);
		this.batcher = setup.batches() ? new Batcher(setup.traffic().blocking(), this::send) : null;
	}

	List<Link> connect(List<Master> masters) {
		masters.forEach((master) -> this.links
			.add(new Link(this.calendar, this, master, this.setup.roundTrip(), this.random.split())));
		return this.links;
	}

	void start() {
		for (int caller = 0; caller < this.setup.traffic().callers(); caller++) {
			this.processors.run(() -> this.setup.costs().client().thread(), this::call);
		}
		if (this.setup.traffic().callers() == 0) {
			awaitCall();
		}
	}

	void stop() {
		this.stopped = true;
	}

	private void awaitCall() {
		double pause = -Math.log(1 - this.random.nextDouble()) * 1e6 / this.setup.traffic().perSecond();
		this.calendar.after(pause, () -> {
			if (!this.stopped) {
				call();
				awaitCall();
			}
		});
	}

	private void call() {
		callAfter(0);
	}

	private void callAfter(double offset) {
		this.tally.begin();
		int key = this.setup.traffic().keys().next(this.random);
		acquire(new Call(key, this.calendar.now() + offset));
	}

	private void acquire(Call call) {
		if (call.began() < this.deniedUntil.getOrDefault(call.key(), 0.0) || trySpend(call.key())) {
			decideLocally();
			return;
		}
		KeyQueue latest = this.queues.get(call.key());
		KeyQueue queue = (latest != null) ? latest : new KeyQueue(this.setup.limit().prefetch() > 0);
		queue.add(call);
		if (latest == null && this.batcher != null) {
			this.queues.put(call.key(), queue);
			this.batcher.run(request(call.key(), queue.start()));
		}
		else if (latest == null || queue.mayStart()) {
			this.queues.put(call.key(), queue);
			send(new Command(List.of(request(call.key(), queue.start())), false));
		}
	}

	private void decideLocally() {
		double micros = this.setup.costs().client().local();
		if (this.setup.traffic().callers() == 0) {
			this.processors.count(micros);
			this.tally.endLocally(micros);
		}
		else {
			this.processors.run(() -> micros, () -> {
				this.tally.endLocally(micros);
				call();
			});
		}
	}

	private Request request(int key, List<Call> calls) {
		return new Request(key, calls, prefetch(key), this.calendar.now());
	}

	private void send(Command command) {
		Link link = this.links.get(Math.floorMod(command.requests().get(0).key(), this.links.size()));
		if (!link.tryStart(command)) {
			failed(command);
		}
		else if (this.inLoop) {
			write(link, command);
		}
		else {
			this.loop.add((offset) -> write(link, command));
		}
	}

	private double write(Link link, Command command) {
		this.unsent.computeIfAbsent(link, (missing) -> new ArrayList<>()).add(command);
		return 0;
	}

	/** Returns the cost of the first reply in a round to read them all. */
	private double readMicros() {
		double micros = this.hasRead ? 0 : this.setup.costs().client().read();
		this.hasRead = true;
		return micros;
	}

	private void flush() {
		this.hasRead = false;
		this.unsent.forEach(Link::send);
		this.unsent = new LinkedHashMap<>();
	}

	void replied(Command command) {
		this.loop.add((offset) -> {
			this.inLoop = true;
			command.requests().forEach(this::keepPrefetch);
			double[] end = { offset + this.setup.costs().client().run() + readMicros() };
			ending(command, (request) -> end[0] = complete(request, end[0]));
			this.inLoop = false;
			return end[0] - offset;
		});
	}

	void failed(Command command) {
		ending(command, (request) -> request.calls().forEach((call) -> this.tally.fail()));
	}

	private void ending(Command command, Consumer<Request> end) {
		Runnable all = () -> command.requests().forEach((request) -> ending(request, end));
		if (command.isBatched() && this.batcher != null) {
			this.batcher.runEnding(command, all);
		}
		else {
			all.run();
		}
	}

	/**
	 * Starts a run for the calls that waited, before those that ended are followed. If
	 * none waited, it does so afterwards, for those that follow.
	 */
	private void ending(Request request, Consumer<Request> end) {
		KeyQueue queue = Objects.requireNonNull(this.queues.get(request.key()));
		boolean early = !queue.queued().isEmpty();
		if (early) {
			startQueued(queue, request);
		}
		end.accept(request);
		if (!early) {
			startQueued(queue, request);
		}
	}

	private void startQueued(KeyQueue queue, Request ended) {
		queue.runEnded(ended.calls().size());
		spendPrefetched(queue.queued());
		if (queue.mayStart()) {
			send(new Command(List.of(request(ended.key(), queue.start())), false));
		}
		else if (queue.isOver()) {
			this.queues.remove(ended.key());
		}
	}

	private void spendPrefetched(List<Call> queued) {
		while (!queued.isEmpty() && trySpend(queued.get(0).key())) {
			Call call = queued.remove(0);
			double micros = this.setup.costs().client().local();
			this.processors.count(micros);
			this.tally.endLocally(this.calendar.now() - call.began() + micros);
		}
	}

	/**
	 * Completes calls one after the other. Half of the cost of a waiting thread is that
	 * to wake it up.
	 */
	private double complete(Request request, double begin) {
		if (request.retryAfter() > 0) {
			this.deniedUntil.put(request.key(), request.askedAt() + Math.min(LONGEST_DENIAL, request.retryAfter()));
		}
		Costs.Client costs = this.setup.costs().client();
		double micros = (request.calls().size() > 1) ? costs.shared() : costs.decision();
		double offset = begin;
		for (Call call : request.calls()) {
			if (this.setup.traffic().blocking()) {
				offset += costs.thread() / 2;
				this.calendar.after(offset,
						() -> this.processors.run(() -> costs.thread() / 2 + micros, () -> end(call, 0)));
			}
			else {
				offset += micros;
				end(call, offset);
			}
		}
		return offset;
	}

	private void end(Call call, double offset) {
		this.tally.endByRedis(this.calendar.now() + offset - call.began());
		if (this.setup.traffic().callers() > 0) {
			callAfter(offset);
		}
	}

	private boolean trySpend(int key) {
		Prefetch prefetch = this.prefetches.get(key);
		return prefetch != null && this.calendar.now() < prefetch.end && prefetch.left-- > 0;
	}

	/** Returns how many permits a run takes in advance: none unless the key is busy. */
	private int prefetch(int key) {
		Prefetch latest = this.prefetches.get(key);
		boolean busy = latest != null && latest.end - this.calendar.now() >= SHORTEST_PREFETCH;
		return busy ? this.setup.limit().prefetch() - 1 : 0;
	}

	private void keepPrefetch(Request request) {
		if (this.setup.limit().prefetch() > 0) {
			double end = Math.ceil(request.askedAt() / WINDOW) * WINDOW;
			this.prefetches.put(request.key(), new Prefetch(request.prefetched(), end));
		}
	}

	private static final class Prefetch {

		private int left;

		private final double end;

		Prefetch(int left, double end) {
			this.left = left;
			this.end = end;
		}

	}

}
