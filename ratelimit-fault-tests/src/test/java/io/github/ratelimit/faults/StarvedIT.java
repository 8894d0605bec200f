package io.github.ratelimit.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.ratelimit.faults.FaultTable.Rows;
import io.github.ratelimit.redis.FreePort;
import io.github.ratelimit.redis.RedisProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** Instances that hardly get a processor while Redis is well. */
@Tag("long")
@ExtendWith(FaultTable.class)
class StarvedIT {

	private static final int BURNING = 40;

	private static final int RUNS = 10;

	@Test
	void admitsTheLimitWhileRequestsKeepTheProcessorsBusy() {
		try (RedisProcess redis = RedisProcess.start()) {
			assertThat(admitted(redis, "few", 80)).containsOnly(BusyInstance.PERMITS);
		}
	}

	@Test
	@Tag("slow")
	void admitsTheLimitTenTimesWhileRequestsKeepTheProcessorsBusy(Rows table) {
		List<Integer> admitted = new ArrayList<>();
		try (RedisProcess redis = RedisProcess.start()) {
			for (int run = 0; run < RUNS; run++) {
				admitted.addAll(admitted(redis, "run-" + run, 1000));
			}
		}
		assertThat(admitted).containsOnly(BusyInstance.PERMITS);
		table.add("31 " + BURNING + " requests keep all processors busy, 1000 calls, cold and warm, runs: " + RUNS,
				"exactly " + BusyInstance.PERMITS + " admitted", admitted + " admitted");
	}

	@Test
	@Tag("slow")
	void admitsTheLimitTenTimesIfAnInstanceStartsOnABusyMachine(Rows table) {
		List<Integer> admitted = new ArrayList<>();
		try (RedisProcess redis = RedisProcess.start()) {
			for (int run = 0; run < RUNS; run++) {
				admitted.add(admittedAfterStart(redis, "start-" + run, 400));
			}
		}
		assertThat(admitted).containsOnly(BusyInstance.PERMITS);
		table.add("31 Instance starts on a busy machine, 400 calls, runs: " + RUNS,
				"exactly " + BusyInstance.PERMITS + " admitted", admitted + " admitted");
	}

	/** Returns the calls admitted by an instance that is cold, and then warm. */
	private static List<Integer> admitted(RedisProcess redis, String caller, int calls) {
		int port = FreePort.choose();
		try (Jvm jvm = BusyInstance.start(port, redis.port())) {
			Clients burning = Clients.start(BURNING, () -> send(port, "/burn", caller));
			Timing.sleep(Duration.ofMillis(500));
			List<Integer> admitted = List.of(allowed(port, caller + "-cold", calls),
					allowed(port, caller + "-warm", calls));
			send(port, "/rest", caller);
			burning.join();
			jvm.go();
			jvm.join();
			return admitted;
		}
	}

	private static int admittedAfterStart(RedisProcess redis, String caller, int calls) {
		int port = FreePort.choose();
		AtomicBoolean busy = new AtomicBoolean(true);
		Clients others = Clients.start(BURNING / 4, () -> burn(busy));
		try (Jvm jvm = BusyInstance.start(port, redis.port())) {
			int admitted = allowed(port, caller, calls);
			jvm.go();
			jvm.join();
			return admitted;
		}
		finally {
			busy.set(false);
			others.join();
		}
	}

	private static void burn(AtomicBoolean busy) {
		while (busy.get()) {
			Thread.onSpinWait();
		}
	}

	private static int allowed(int port, String caller, int calls) {
		AtomicInteger left = new AtomicInteger(calls);
		AtomicInteger allowed = new AtomicInteger();
		Clients.start(BURNING / 2, () -> {
			while (left.getAndDecrement() > 0) {
				String status = send(port, "/calls", caller);
				assertThat(status).containsAnyOf(" 200 ", " 429 ");
				allowed.addAndGet(status.contains(" 200 ") ? 1 : 0);
			}
		}).join();
		return allowed.get();
	}

	private static String send(int port, String path, String caller) {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
				InputStream response = socket.getInputStream()) {
			socket.getOutputStream()
				.write(("GET " + path + " HTTP/1.1\r\nHost: a\r\nX-Caller: " + caller + "\r\nConnection: close\r\n\r\n")
					.getBytes(StandardCharsets.US_ASCII));
			return new String(response.readAllBytes(), StandardCharsets.US_ASCII).lines().findFirst().orElse("");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Threads that run the same task. */
	private record Clients(List<Thread> threads) {

		static Clients start(int count, Runnable task) {
			List<Thread> threads = new ArrayList<>();
			for (int index = 0; index < count; index++) {
				Thread thread = new Thread(task, "client-" + index);
				thread.setDaemon(true);
				thread.start();
				threads.add(thread);
			}
			return new Clients(threads);
		}

		void join() {
			this.threads.forEach(Timing::join);
		}

	}

}
