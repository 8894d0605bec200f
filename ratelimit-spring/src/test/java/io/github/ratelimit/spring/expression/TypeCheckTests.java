package io.github.ratelimit.spring.expression;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.policy.InvalidCostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The mistakes in expressions that are found before the first call. Those about values of
 * the library are refused, those about arguments are doubts.
 */
class TypeCheckTests {

	private final ExpressionScope scope = ExpressionScope.of((call) -> null).withArguments(arguments()).afterCall();

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = {
			"#request.adress           | '#request' has no property 'adress' (did you mean #request.address?)",
			"#request.remoteAddr       | '#request' has no property 'remoteAddr'; there are [address, cookie(), header(),",
			"#request.headers['X']     | '#request' has no property 'headers' (did you mean #request.header()?)",
			"#request.header['X']      | '#request' has no property 'header'; write #request.header(...)",
			"#request.getHeader('X')   | '#request' has no method 'getHeader' (did you mean #request.header()?)",
			"#request.heder('X')       | '#request' has no method 'heder' (did you mean #request.header()?)",
			"#request.header()         | '#request.header' takes (String), not ()",
			"#request.header('X', 'Y') | '#request.header' takes (String), not (String, String)",
			"#request.header(#user)    | '#request.header' takes (String), not (UserView)",
			"#request.path()           | '#request' has no method 'path'; write #request.path",
			"#request.path.startWith('/api') | '#request.path' has no method 'startWith' (did you mean #request.path.startsWith()?)",
			"#request.header(1)        | '#request.header' takes (String), not (Integer)",
			"#request['adress']        | '#request' has no property 'adress' (did you mean #request.address?)",
			"#request[adress]          | 'adress' belongs to nothing; write #adress, or 'adress' in quotes for a text",
			"#request['path'].lenght() | '#request['path']' has no method 'lenght' (did you mean #request['path'].length?)",
			"#user.authorities.nam     | '#user.authorities' has no property 'nam'",
			"#user.hasRole(true)       | '#user.hasRole' takes (String), not (Boolean)",
			"#user.id                  | '#user' has no property 'id'; there are [authorities, claim(), hasRole(), name]",
			"#user?.nmae               | '#user' has no property 'nmae' (did you mean #user.name?)",
			"#user.hasRole('ROLE_A')   | a role is written without 'ROLE_'; write hasRole('A')",
			"#response.code            | '#response' has no property 'code'; there are [size, status]",
			"#order.items.?[#request.adress == sku] | '#request' has no property 'adress'",
			"{#user.id}                | '#user' has no property 'id'",
			"#root.args[0]             | '#root' has no value; write # and the name of an argument or variable",
			"#this                     | '#this' has no value",
			"request.path              | 'request' belongs to nothing; write #request, or 'request' in quotes for a text",
			"header('X')               | 'header('X')' belongs to nothing; write the value that has it in front",
			"#ordr.id                  | there is no argument '#ordr' (did you mean '#order'?); there are [#order" })
	void refusesWhatNoCallHas(String text, String message) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.scope.parse(text)).withMessageContaining(message);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = {
			"#user == null              | '#user' is never null and equals nothing",
			"#user != null              | write (#user.name != null)",
			"#user == 'ada'             | write (#user.name == 'ada')",
			"(#user ?: 'x') == 'x'      | write (#user.name ?: 'x')",
			"#request.method == GET     | 'GET' belongs to nothing; write #GET, or 'GET' in quotes for a text",
			"#response.status == '200'  | '#response.status' is a number, which never equals '200'; write it without quotes",
			"#request.header('X') == 1  | '#request.header('X')' is a text, which never equals 1; write it in quotes",
			"#request.method == 'get'   | '#request.method' is a text, which never equals 'get'; write 'GET'",
			"'Post' != #request?.method | '#request?.method' is a text, which never equals 'Post'; write 'POST'",
			"#request.method            | a condition is true or false, but '#request.method' is a text",
			"'a' == 'a'                 | the condition is the same for all calls, as it uses none of [#order",
			"1                          | a condition is true or false, but '1' is a number" })
	void refusesAConditionThatIsNone(String text, String message) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.scope.parseCondition(text))
			.withMessageContaining(message);
	}

	@Test
	void refusesACostThatIsNoNumber() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.scope.parseExact("#request.path == '/'"))
			.withMessageStartingWith("a cost is a number, but");
	}

	@ParameterizedTest
	@ValueSource(strings = { "#request.header('X-Units')", "#request.path", "#user.name", "'5'" })
	void refusesATextAsACost(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.scope.parseExact(text))
			.withMessage("a cost is a number, but '" + text + "' is a text");
	}

	@SuppressWarnings("UnnecessaryStringBuilder") // a text of another type
	static Stream<Object> values() {
		return Stream.of(1, 1L, (short) 1, (byte) 1, 1.5, 1.5f, BigInteger.ONE, BigDecimal.ONE, "1", 'a', true,
				new int[0], new StringBuilder("1"), Optional.of(1), Phase.ONE);
	}

	@ParameterizedTest
	@MethodSource("values")
	void doubtsACostThatNoCallHas(Object value) {
		ExpressionScope ofValue = ExpressionScope.of((call) -> null).withArguments(Map.of("value", value.getClass()));
		CostExpression cost = CostExpression.parse("#value", ofValue, "web", "a test");
		assertThat(cost.expression().orElseThrow().doubts().isEmpty()).isEqualTo(hasCost(cost, value));
	}

	private static boolean hasCost(CostExpression cost, Object value) {
		try {
			return cost.applyAsLong(new CallContext(Caller.NONE, Map.of("value", value))) > 0;
		}
		catch (InvalidCostException ex) {
			return false;
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "#request.pathVariable('shop') == '1'    | no path of the rule has the variable {shop}",
					"!(#request?.pathVariable('Id') == '1')  | no path of the rule has the variable {Id}",
					"#request == null                        | '#request' is never null here and equals nothing",
					"#request != null and #user.name != null | '#request' is never null here and equals nothing" })
	void refusesWhatNoRequestOfARuleHas(String text, String message) {
		ExpressionScope rule = ExpressionScope.of((call) -> null).ofRule(Set.of("id"));
		assertThat(rule.parseCondition("#request.pathVariable('id') == '1'").doubts()).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> rule.parseCondition(text)).withMessageContaining(message);
		assertThat(this.scope.parseCondition(text).doubts()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = {
			"#order.nmae            | '#order' (Order) has no property 'nmae' (did you mean #order.name?)",
			"#order.address.zipp    | '#order.address' (Address) has no property 'zipp' (did you mean #order.address.zip?)",
			"#order.naem()          | '#order' (Order) has no method 'naem' (did you mean #order.name?)",
			"#order.priceIn()       | '#order.priceIn' takes (String), not ()",
			"#text.size()           | '#text' (String) has no method 'size'",
			"#parameters.id         | '#parameters' (Map) has no property 'id'; write #parameters['id']",
			"#optional.name         | '#optional' (Optional) has no property 'name'",
			"#shape.widt            | '#shape' (Shape) has no property 'widt' (did you mean #shape.width?)",
			"#count == '5'          | '#count' is a number, which never equals '5'; write it without quotes",
			"#array.lenght          | '#array' (String[]) has no property 'lenght' (did you mean #array.length?)",
			"#array.size()          | '#array' (String[]) has no method 'size'; there are [length]",
			"#order['nmae']         | '#order' (Order) has no property 'nmae' (did you mean #order.name?)",
			"#order?.address?.zipp  | has no property 'zipp'" })
	void doubtsWhatAnArgumentDoesNotHave(String text, String doubt) {
		assertThat(this.scope.parse(text).doubts()).singleElement().asString().contains(doubt);
	}

	@ParameterizedTest
	@ValueSource(strings = { "#request.header('X')", "#request?.path", "#user.name",
			"#user.authorities.contains('ROLE_A')", "#user.claim('a').anything", "#user.claim('a')['b'].c",
			"#user.toString()", "#principal.anything.at.all(1)", "#error.reason", "#result.anything",
			"#response?.status", "#order.name", "#order.getName()", "#order.name()", "#order.priceIn('EUR')",
			"#order.priceIn(5)", "#order.items.![sku]", "#order.items.?[sku == 'a' and #this.sku != name].size()",
			"#order.items[0].anything", "#parameters['id']", "#parameters[id]", "#parameters.size", "#optional?.name",
			"#optional.get().anything", "#shape.colour", "#shape.area(1, 2)", "#anything.at.all()", "#anything.x.y",
			"#array.length", "#array[0].x", "#count + 1", "#count > '5'.length() ? 'a' : 'b'", "#supplier.get().x",
			"{a: 1, b: #count}.size()", "{#count, 2}[0]", "#text matches '[a-z]+'", "#text.substring(1).length",
			"#text.formatted(1)", "#joined.of('a', 'b', 'c')", "#joined.of()", "#counter.get().get()",
			"#counter.inherited.length", "'a'.concat(#text)", "#error?.message", "#text.isEmpty() ?: #user.name",
			"#request['path']", "#request.query(#text)", "#request.query(#anything)", "#order['name']",
			"#array.length * 2", "#array.![length()]", "#array[0].length()", "#text[0]", "#parameters['nmae'].x",
			"'n-'.concat(#count)", "#user.authorities.size()",
			"#request.path matches '^/a.*' and #user.hasRole('ROLES')", "#order.field" })
	void doubtsNothingThatMayBeThere(String text) {
		assertThat(this.scope.parse(text).doubts()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "true", "false", "#request == null", "#request.method == 'GET'", "#response == null",
			"#order.name == 'a'", "!#user.hasRole('A')", "#user.claim('beta')", "#response.status < 400",
			"#text == #count" })
	void takesConditions(String text) {
		assertThat(this.scope.parseCondition(text).doubts()).isEmpty();
	}

	@Test
	void takesAnyArgumentInAPolicyButNoUnknownMember() {
		ExpressionScope policy = this.scope.withAnyArguments();
		assertThat(policy.parse("#whatever.id + #user.name").doubts()).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> policy.parse("#whatever.id + #user.id"))
			.withMessageContaining("'#user' has no property 'id'");
	}

	@Test
	void refusesUnknownMembersOfVariablesOfTheLibrary() {
		ExpressionScope ofModel = this.scope.withVariables(Map.of("model", String.class));
		assertThat(ofModel.parse("#model.toLowerCase()").doubts()).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> ofModel.parse("#model.naem"))
			.withMessageContaining("'#model' has no property 'naem'");
	}

	private static Map<String, Class<?>> arguments() {
		Map<String, Class<?>> arguments = new LinkedHashMap<>();
		arguments.put("order", Order.class);
		arguments.put("text", String.class);
		arguments.put("count", int.class);
		arguments.put("parameters", Map.class);
		arguments.put("optional", Optional.class);
		arguments.put("shape", Shape.class);
		arguments.put("anything", Object.class);
		arguments.put("array", String[].class);
		arguments.put("supplier", Supplier.class);
		arguments.put("counter", Counter.class);
		arguments.put("joined", Joined.class);
		return arguments;
	}

	/** An argument. */
	public static class Order {

		public final String field = "";

		public String getName() {
			return "";
		}

		public String name() {
			return "";
		}

		public Address getAddress() {
			return new Address("");
		}

		public List<Item> getItems() {
			return List.of();
		}

		public long priceIn(String currency) {
			return currency.length();
		}

	}

	/**
	 * A part of an argument.
	 *
	 * @param zip a component
	 */
	public record Address(String zip) {

	}

	/**
	 * An element of a list.
	 *
	 * @param sku a component
	 */
	public record Item(String sku) {

	}

	/** A type that is no number. */
	enum Phase {

		ONE

	}

	/** A type whose values have more members. */
	public interface Shape {

		int width();

		int area();

	}

	/** A method with any number of arguments. */
	public static final class Joined {

		public String of(String... texts) {
			return String.join("", texts);
		}

	}

	/** A class that inherits from one that is not public. */
	public static final class Counter extends Hidden {

		public AtomicInteger get() {
			return new AtomicInteger();
		}

	}

	static class Hidden {

		public String getInherited() {
			return "";
		}

	}

}
