package io.github.ratelimit.spring.grpc;

import java.util.List;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;

/** A client that reads the details of a denial. */
final class RetryDelays {

	private RetryDelays() {
	}

	static Duration retryDelay(StatusRuntimeException ex) throws InvalidProtocolBufferException {
		Status status = StatusProto.fromThrowable(ex);
		List<Any> details = (status != null) ? status.getDetailsList() : List.of();
		for (Any detail : details) {
			if (detail.is(RetryInfo.class)) {
				return detail.unpack(RetryInfo.class).getRetryDelay();
			}
		}
		return Duration.getDefaultInstance();
	}

}
