-- Decides every limit of a call at once: all are charged, or none is.
-- KEYS: a count for each limit.
-- ARGV: the time in us, or '' for the server's; then for each limit its algorithm, the cost
-- and the four numbers of its algorithm.
-- Answers the time, then for each limit the permits left, the wait until the cost fits and
-- the wait until nothing is spent, in us.

local floor, ceil = math.floor, math.ceil
local TTL_MARGIN = 500 -- ms, so that no state expires while it still counts
local rules = {}

--RULES--

local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end

local states, waits, stepped_back, denied = {}, {}, {}, false
for i = 1, #KEYS do
  local a = 6 * i - 4
  states[i], waits[i], stepped_back[i] = rules[ARGV[a]].load(KEYS[i], now, ARGV[a + 1] + 0,
    ARGV[a + 2] + 0, ARGV[a + 3] + 0, ARGV[a + 4] + 0, ARGV[a + 5] + 0)
  denied = denied or waits[i] > 0
end

local reply = { now }
for i = 1, #KEYS do
  local a = 6 * i - 4
  local rule, cost = rules[ARGV[a]], denied and 0 or ARGV[a + 1] + 0
  local p, q, r, s = ARGV[a + 2] + 0, ARGV[a + 3] + 0, ARGV[a + 4] + 0, ARGV[a + 5] + 0
  local state, n = states[i], #reply
  if cost > 0 or stepped_back[i] then
    state = rule.save(KEYS[i], now, cost, p, q, r, s, state)
  end
  reply[n + 2] = waits[i]
  reply[n + 1], reply[n + 3] = rule.report(now, p, q, r, s, state)
end
return reply
