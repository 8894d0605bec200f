package io.github.ratelimit.kotlin

import io.github.ratelimit.RateLimited
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeoutOrNull
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Tag
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.boot.WebApplicationType
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Import

/** The first call of a JVM, which takes long, and is given up. */
@Tag("long")
class FirstCallTests {

    @ParameterizedTest
    @ValueSource(longs = [20, 80, 150])
    fun `holds nothing once it is given up`(millis: Long) {
        val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
        val jvm = ProcessBuilder(
            java, "-cp", System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            FirstCall::class.java.name, millis.toString(),
        ).redirectErrorStream(true).start()
        val log = jvm.inputStream.bufferedReader().readText()
        assertThat(jvm.waitFor(60, TimeUnit.SECONDS)).isTrue()
        assertThat(jvm.exitValue()).`as`(log).isZero()
    }
}

/** A program whose first call is given up, and whose next one has to be admitted. */
object FirstCall {

    @JvmStatic
    fun main(arguments: Array<String>) {
        SpringApplicationBuilder(Application::class.java).web(WebApplicationType.NONE)
            .properties("ratelimit.store=memory", "ratelimit.policies.busy.limits=1 concurrent")
            .run()
            .use { application ->
                val quotes = application.getBean(Patient::class.java)
                runBlocking {
                    withTimeoutOrNull(arguments[0].toLong()) { quotes.held(CompletableDeferred()) }
                    quotes.held(CompletableDeferred(Unit))
                }
            }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Patient::class)
    class Application
}

open class Patient {

    @RateLimited("busy")
    open suspend fun held(end: CompletableDeferred<Unit>) = end.await()
}
