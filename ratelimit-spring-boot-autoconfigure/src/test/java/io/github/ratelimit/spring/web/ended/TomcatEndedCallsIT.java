package io.github.ratelimit.spring.web.ended;

import org.junit.jupiter.api.Tag;

@Tag("long")
class TomcatEndedCallsIT extends ServletEndedCallsContract {

}
