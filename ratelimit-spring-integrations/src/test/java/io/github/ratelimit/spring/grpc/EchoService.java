package io.github.ratelimit.spring.grpc;

import io.github.ratelimit.RateLimited;
import io.grpc.stub.StreamObserver;

import org.springframework.stereotype.Service;

@Service
class EchoService extends EchoGrpc.EchoImplBase {

	@Override
	@RateLimited(limit = "5/1m", key = "header:x-api-key")
	public void say(String request, StreamObserver<String> response) {
		response.onNext(request);
		response.onCompleted();
	}

}
