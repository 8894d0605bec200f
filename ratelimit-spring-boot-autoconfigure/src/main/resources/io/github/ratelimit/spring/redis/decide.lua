-- Decides every limit of a call at once: all are charged, or none is.
-- KEYS: a count for each limit.
-- ARGV: the time in us, or '' for the server's; then for each limit its rule, the cost and the
-- four numbers of its algorithm.
-- Answers the time, then for each limit the permits left, the wait until the cost fits and
-- the wait until nothing is spent, in us.

local floor, ceil = math.floor, math.ceil
local TTL_MARGIN = 500 -- ms, so that no state expires while it still counts

-- A rule is two functions, and a state whatever load answers first:
--   load(key, now, cost, four numbers): the state, the wait until the cost fits, and whether the
--     state must be saved even if nothing is charged, as the clock stepped back or another rule
--     wrote it
--   settle(key, now, cost, four numbers, state, save): charges the cost, saves if it is told to,
--     and answers the permits left and the wait until nothing is spent
-- A stored state is a string that begins with a letter for its rule, what is spent, and in how
-- many parts of a permit; so a rule can go on where another left off.
local rules = {}

--RULES--

local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end

-- With room for one limit, as most calls have.
local charges, reply, denied = { false }, { now, 0, 0, 0 }, false
for i = 1, #KEYS do
  local a = 6 * i - 4
  local rule, key, cost = rules[ARGV[a]], KEYS[i], ARGV[a + 1] + 0
  local p, q, r, s = ARGV[a + 2] + 0, ARGV[a + 3] + 0, ARGV[a + 4] + 0, ARGV[a + 5] + 0
  local state, wait, dirty = rule.load(key, now, cost, p, q, r, s)
  charges[i] = { rule.settle, key, cost, p, q, r, s, state, wait, dirty }
  denied = denied or wait > 0
end

for i = 1, #KEYS do
  local settle, key, cost, p, q, r, s, state, wait, dirty = unpack(charges[i], 1, 10)
  if denied then cost = 0 end
  local left, reset = settle(key, now, cost, p, q, r, s, state, cost > 0 or dirty)
  reply[3 * i - 1], reply[3 * i], reply[3 * i + 1] = left, wait, reset
end
return reply
