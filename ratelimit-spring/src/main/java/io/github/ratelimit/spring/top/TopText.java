package io.github.ratelimit.spring.top;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

import io.github.ratelimit.spring.top.TopList.Entry;

/**
 * The text in which instances exchange reports: a version and the length of the window,
 * then the lists of keys that were denied and that spent, each of a total, a rest, a
 * number of entries, and the entries. Keys that were denied in shadow follow if there are
 * any, as earlier releases ignore what follows.
 */
final class TopText {

	private static final String VERSION = "1";

	private static final String SPACE = " ";

	private TopText() {
	}

	static String write(TopReport report) {
		List<String> words = new ArrayList<>(List.of(VERSION, Long.toString(report.seconds())));
		write(report.denied(), words);
		write(report.spent(), words);
		if (report.shadowDenied().total() > 0) {
			write(report.shadowDenied(), words);
		}
		return String.join(SPACE, words);
	}

	private static void write(TopList list, List<String> words) {
		words.add(Long.toString(list.total()));
		words.add(Long.toString(list.rest()));
		words.add(Integer.toString(list.entries().size()));
		for (Entry entry : list.entries()) {
			words.add(URLEncoder.encode(entry.key(), StandardCharsets.UTF_8));
			words.add(Long.toString(entry.atLeast()));
			words.add(Long.toString(entry.atMost()));
		}
	}

	/**
	 * Reads a report.
	 * @throws IllegalArgumentException if another version wrote it
	 * @throws NoSuchElementException if it is incomplete
	 */
	static TopReport read(String text) {
		Iterator<String> words = List.of(text.split(SPACE, -1)).iterator();
		if (!words.next().equals(VERSION)) {
			throw new IllegalArgumentException("another version wrote this report");
		}
		long seconds = number(words);
		TopList denied = list(words);
		TopList spent = list(words);
		return new TopReport(seconds, denied, words.hasNext() ? list(words) : TopList.EMPTY, spent);
	}

	private static TopList list(Iterator<String> words) {
		long total = number(words);
		long rest = number(words);
		long size = number(words);
		List<Entry> entries = new ArrayList<>();
		for (long i = 0; i < size; i++) {
			entries
				.add(new Entry(URLDecoder.decode(words.next(), StandardCharsets.UTF_8), number(words), number(words)));
		}
		return new TopList(total, rest, entries);
	}

	private static long number(Iterator<String> words) {
		return Long.parseLong(words.next());
	}

}
