package io.github.ratelimit.sample.live;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponse;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;

/**
 * Tests of {@link EventStream} on connections that tests could not get at will.
 */
class EventStreamTests {

	private final ServletOutputStream output = mock(ServletOutputStream.class);

	private final AsyncContext context = mock(AsyncContext.class);

	private final List<EventStream> ended = new ArrayList<>();

	@BeforeEach
	void setUp() throws IOException {
		ServletResponse response = mock(ServletResponse.class);
		given(this.context.getResponse()).willReturn(response);
		given(response.getOutputStream()).willReturn(this.output);
	}

	@Test
	void writesNothingBeforeTheContainerAllowsIt() throws IOException {
		given(this.output.isReady()).willReturn(true);
		EventStream stream = stream();
		stream.send("call", "{}");
		then(this.output).should(never()).write(any(byte[].class));
		stream.onWritePossible();
		then(this.output).should().write("event: call\ndata: {}\n\n".getBytes(StandardCharsets.UTF_8));
		then(this.output).should().flush();
	}

	@Test
	void neverWritesToAConnectionThatIsNotReady() throws IOException {
		EventStream stream = stream();
		stream.onWritePossible();
		stream.send("call", "{}");
		then(this.output).should(never()).write(any(byte[].class));
		given(this.output.isReady()).willReturn(true, false);
		stream.onWritePossible();
		then(this.output).should().write(any(byte[].class));
		then(this.output).should(never()).flush();
	}

	@Test
	void endsOnceItsReaderIsTooSlow() throws IOException {
		EventStream stream = stream();
		stream.onWritePossible();
		for (int event = 0; event < 256; event++) {
			stream.send("call", "{}");
		}
		assertThat(this.ended).isEmpty();
		stream.send("call", "{}");
		stream.send("call", "{}");
		assertThat(this.ended).containsExactly(stream);
		then(this.context).should(times(1)).complete();
	}

	@Test
	void endsWhenItsReaderHasGone() throws IOException {
		given(this.output.isReady()).willReturn(true);
		willThrow(new IOException("broken pipe")).given(this.output).write(any(byte[].class));
		willThrow(new IllegalStateException("has completed")).given(this.context).complete();
		EventStream stream = stream();
		stream.onWritePossible();
		stream.sendHeartbeat();
		stream.onError(new IOException("broken pipe"));
		assertThat(this.ended).containsExactly(stream);
	}

	private EventStream stream() throws IOException {
		return new EventStream(UUID.randomUUID(), this.context, this.ended::add);
	}

}
