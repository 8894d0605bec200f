package io.github.ratelimit.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.redis.TemporaryFolder;
import io.github.ratelimit.redis.TestRedis;

/**
 * A clock of a Redis that a test can step or stop: a library, compiled by {@code gcc} and
 * preloaded, reads what to add to the time of day, or to return instead of it, from a
 * file that both have in memory.
 */
final class SteppedClock {

	private static final String LIBRARY = """
			#define _GNU_SOURCE
			#include <fcntl.h>
			#include <stdlib.h>
			#include <sys/mman.h>
			#include <sys/syscall.h>
			#include <sys/time.h>
			#include <time.h>
			#include <unistd.h>
			static volatile long long *clock_file;
			__attribute__((constructor)) static void open_clock(void) {
			  int file = open(getenv("CLOCK_FILE"), O_RDONLY);
			  clock_file = mmap(0, 16, PROT_READ, MAP_SHARED, file, 0);
			  if (clock_file == MAP_FAILED) abort();
			  close(file);
			}
			int gettimeofday(struct timeval *tv, void *tz) {
			  struct timespec ts = { 0, 0 };
			  if (!clock_file[1]) syscall(SYS_clock_gettime, CLOCK_REALTIME, &ts);
			  long long us = ts.tv_sec * 1000000LL + ts.tv_nsec / 1000 + clock_file[0];
			  tv->tv_sec = us / 1000000;
			  tv->tv_usec = us % 1000000;
			  return 0;
			}
			""";

	private final Path folder;

	private final MappedByteBuffer clock;

	private SteppedClock(Path folder, MappedByteBuffer clock) {
		this.folder = folder;
		this.clock = clock;
	}

	static SteppedClock compile() {
		try {
			Path folder = TemporaryFolder.ofThisJvm("stepped-clock").path();
			Path source = Files.writeString(folder.resolve("clock.c"), LIBRARY);
			Process compiler = new ProcessBuilder("gcc", "-shared", "-fPIC", "-o",
					folder.resolve("clock.so").toString(), source.toString())
				.inheritIO()
				.start();
			if (compiler.onExit().join().exitValue() != 0) {
				throw new IllegalStateException("The clock does not compile");
			}
			return new SteppedClock(folder, map(folder.resolve("clock")));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("There is no gcc to compile the clock with", ex);
		}
	}

	private static MappedByteBuffer map(Path file) throws IOException {
		try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
				StandardOpenOption.WRITE)) {
			MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, 2 * Long.BYTES);
			mapped.order(ByteOrder.nativeOrder());
			return mapped;
		}
	}

	/** Starts a Redis with this clock. */
	RedisProcess redis() {
		try {
			step(Duration.ZERO);
			Path script = Files.writeString(this.folder.resolve("redis-server"),
					"#!/bin/sh\nCLOCK_FILE=" + this.folder.resolve("clock") + " LD_PRELOAD="
							+ this.folder.resolve("clock.so") + " exec " + TestRedis.executable() + " \"$@\"\n");
			if (!script.toFile().setExecutable(true)) {
				throw new IllegalStateException("The script cannot be executed");
			}
			return stepped(RedisProcess.start(script, List.of()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Requires that the clock of a Redis can be stepped, and sets it back. */
	private RedisProcess stepped(RedisProcess redis) {
		step(Duration.ofDays(1));
		long seconds = Long.parseLong(redis.commands().time().get(0));
		step(Duration.ZERO);
		if (seconds < Instant.now().plus(Duration.ofHours(23)).getEpochSecond()) {
			redis.close();
			throw new IllegalStateException(
					"The clock of this Redis cannot be stepped, as it is linked statically: put "
							+ "a redis-server of your distribution on the PATH");
		}
		return redis;
	}

	/** Sets the offset from the time of day. */
	void step(Duration offset) {
		this.clock.putLong(0, offset.toNanos() / 1000).putLong(Long.BYTES, 0);
	}

	/** Stops the clock at a time, in microseconds since 1970. */
	void stopAt(long micros) {
		this.clock.putLong(0, micros).putLong(Long.BYTES, 1);
	}

}
