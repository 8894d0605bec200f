package io.github.ratelimit.benchmarks.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.benchmarks.report.Report;

/**
 * The applications of one kind of server, each in a process of its own. All of them run
 * at once and are called in turns.
 */
final class HttpProcesses implements AutoCloseable {

	/** Calls over 32 connections. */
	static final Load LOAD = new Load(32, true);

	private final Settings settings;

	private final Duration first;

	private final List<ApplicationProcess> processes = new ArrayList<>();

	private final List<Turn> turns;

	/**
	 * Starts applications.
	 * @param settings how long to call them
	 * @param first how long to call each at first, as it has code to compile
	 * @param server their server
	 * @param applications which
	 * @param redis the port of Redis
	 */
	HttpProcesses(Settings settings, Duration first, HttpServer server, List<HttpApplication> applications, int redis) {
		this.settings = settings;
		this.first = first;
		this.turns = applications.stream()
			.filter((application) -> settings.measures(application.title()))
			.map((application) -> turn(application, server, redis))
			.toList();
	}

	private Turn turn(HttpApplication application, HttpServer server, int redis) {
		List<String> arguments = Stream
			.of(server.properties().stream(), application.properties().stream(),
					Stream.of("spring.data.redis.port=" + redis))
			.flatMap((some) -> some.map((property) -> "--" + property))
			.toList();
		ApplicationProcess process = ApplicationProcess.start(WebApplication.class, arguments);
		this.processes.add(process);
		return new Turn(new Measurement(List.of(process), this.settings.warmUp(), this.settings.time()),
				new HttpCalls(application.title(), process.port(), application::path));
	}

	/** Measures all applications in turns. */
	Results measure(List<Scenario> scenarios, Report report) {
		this.turns.forEach((turn) -> warmUp(turn, scenarios));
		return new Rounds(this.settings, report).run(this.turns, scenarios, List.of(LOAD));
	}

	private void warmUp(Turn turn, List<Scenario> scenarios) {
		Measurement first = new Measurement(turn.measurement().servers(), this.first, this.settings.time());
		scenarios.stream()
			.filter((scenario) -> turn.canDo(scenario, LOAD))
			.forEach((scenario) -> first.of(turn.contender(), scenario, LOAD));
	}

	@Override
	public void close() {
		this.processes.forEach(ApplicationProcess::close);
	}

}
