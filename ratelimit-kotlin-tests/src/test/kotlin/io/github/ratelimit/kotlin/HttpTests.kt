package io.github.ratelimit.kotlin

import io.github.ratelimit.RateLimited
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.net.http.HttpResponse.BodyHandlers
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.springframework.boot.WebApplicationType
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Import
import org.springframework.stereotype.Service
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.reactive.function.server.ServerResponse
import org.springframework.web.reactive.function.server.bodyValueAndAwait
import org.springframework.web.reactive.function.server.coRouter

/** Controllers whose methods suspend or answer a flow, on a real server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class HttpTests(type: WebApplicationType) {

    private val context = SpringApplicationBuilder(Application::class.java)
        .web(type)
        .properties(
            "server.port=0", "ratelimit.store=memory", "ratelimit.policies.one.limits=1/1h",
            "ratelimit.policies.joined.limits=1/1h", "ratelimit.policies.ruled.limits=2/1h",
            "ratelimit.rules[0].paths=/joined", "ratelimit.rules[0].policies=ruled",
            "ratelimit.policies.caller.limits=1/1h", "ratelimit.policies.caller.key=header:X-Caller",
            "ratelimit.policies.pace.limits=20/1s leaky-bucket", "ratelimit.policies.pace.max-wait=1s",
        )
        .run()

    private val client = HttpClient.newHttpClient()

    private val url = "http://localhost:${context.environment.getRequiredProperty("local.server.port")}"

    @AfterAll
    fun stop() = context.close()

    @Test
    fun `leaves a suspend function alone that is not limited`() {
        repeat(3) { assertThat(get("/free?name=a").body()).isEqualTo("a") }
    }

    @Test
    fun `denies the call of a suspend function`() {
        assertThat(get("/suspend").body()).isEqualTo("ok")
        val denied = get("/suspend")
        assertThat(denied.statusCode()).isEqualTo(429)
        assertThat(denied.headers().firstValue("Retry-After")).hasValue("3600")
        assertThat(denied.headers().firstValue("Content-Type")).hasValue("application/problem+json")
        assertThat(denied.body()).contains("quota-exceeded")
    }

    @Test
    fun `knows the arguments of a suspend function`() {
        assertThat(get("/keyed?name=a&times=2").body()).isEqualTo("aa")
        assertThat(get("/keyed?name=a").statusCode()).isEqualTo(429)
        assertThat(get("/keyed?name=b&times=3").statusCode()).isEqualTo(422)
        assertThat(get("/keyed?name=b").body()).isEqualTo("b")
        assertThat(get("/keyed?name=b").body()).isEqualTo("b")
    }

    @Test
    fun `denies the call of a function that answers a flow`() {
        assertThat(get("/flow").body()).isEqualTo("ok")
        assertThat(get("/flow").statusCode()).isEqualTo(429)
    }

    @Test
    fun `denies the call of a suspend function that answers a flow`() {
        assertThat(get("/suspend-flow").body()).isEqualTo("ok")
        assertThat(get("/suspend-flow").statusCode()).isEqualTo(429)
    }

    @Test
    fun `charges a rule together with a suspend function, or neither`() {
        repeat(5) { get("/joined?name=a") }
        assertThat(get("/joined?name=b").statusCode()).isEqualTo(200)
    }

    @Test
    fun `knows the request that a suspend function of a bean serves`() {
        assertThat(get("/service", "a").body()).isEqualTo("ok")
        assertThat(get("/service", "a").statusCode()).isEqualTo(429)
        assertThat(get("/service", "b").body()).isEqualTo("ok")
    }

    @Test
    fun `waits for the turn of a suspend function`() {
        repeat(3) { assertThat(get("/paced").body()).isEqualTo("ok") }
    }

    protected fun get(path: String, caller: String = "any"): HttpResponse<String> =
        client.send(HttpRequest.newBuilder(URI.create(url + path)).header("X-Caller", caller).build(), BodyHandlers.ofString())

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Controller::class, Archive::class)
    class Application {

        /** Chooses the server, as there are two on the class path. */
        @Bean
        @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
        fun server() = NettyReactiveWebServerFactory()

        @Bean
        @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
        fun routes(archive: Archive) = coRouter {
            GET("/route") { ServerResponse.ok().bodyValueAndAwait(archive.read()) }
        }
    }

    @Service
    class Archive {

        @RateLimited("caller")
        suspend fun read(): String {
            delay(1)
            return "ok"
        }
    }

    @RestController
    class Controller(private val archive: Archive) {

        @GetMapping("/service")
        suspend fun service(): String = archive.read()

        @GetMapping("/paced")
        @RateLimited("pace")
        suspend fun paced(): String {
            delay(1)
            return "ok"
        }

        @GetMapping("/free")
        suspend fun free(@RequestParam name: String): String {
            delay(1)
            return name
        }

        @GetMapping("/suspend")
        @RateLimited(limit = "1/1h")
        suspend fun suspending(): String {
            delay(1)
            return "ok"
        }

        @GetMapping("/keyed")
        @RateLimited(limit = "2/1h", key = "#name", cost = "#times")
        suspend fun keyed(@RequestParam name: String, @RequestParam(defaultValue = "1") times: Int): String {
            delay(1)
            return name.repeat(times)
        }

        @GetMapping("/flow")
        @RateLimited(limit = "1/1h")
        fun flowing(): Flow<String> = flow {
            emit("o")
            delay(1)
            emit("k")
        }

        @GetMapping("/suspend-flow")
        @RateLimited(limit = "1/1h")
        suspend fun suspendFlow(): Flow<String> {
            delay(1)
            return flowing()
        }

        @GetMapping("/joined")
        @RateLimited("joined", key = "#name")
        suspend fun joined(@RequestParam name: String): String {
            delay(1)
            return name
        }
    }
}

class WebMvcTests : HttpTests(WebApplicationType.SERVLET)

class WebFluxTests : HttpTests(WebApplicationType.REACTIVE) {

    @Test
    fun `denies the call of a suspend function by a route`() {
        assertThat(get("/route", "route").body()).isEqualTo("ok")
        assertThat(get("/route", "route").statusCode()).isEqualTo(429)
    }
}
