-- Carries out an operation on every limit of a call at once.
-- KEYS: a count for each limit.
-- ARGV: the time in us, or '' for the server's; the operation; then for each limit its rule, the cost,
-- the reserve, a time (how long to wait at most, in shadow -1 less that, or when what is given back
-- was charged), and the four numbers of its algorithm. A limit in shadow is charged if it fits, and
-- denies nothing.
-- Answers the time, then for each limit the permits left, the wait until the call has its place and
-- the wait until nothing is spent, in us.

local floor, ceil = math.floor, math.ceil
local LARGEST = 9007199254740992 -- up to which numbers have no gaps
local TTL_MARGIN = 500 -- ms, so that no state expires while it still counts

-- A stored state begins with a letter for its rule, what is spent, in how many parts of a permit, the
-- time it was stored, how far that is ahead of the clock, and the time it will have run out. Time
-- never steps back for a state: where the clock does, the state's own time is ahead of it.
local HEADER, HEADER_BYTES = '<c1I7I7I7I7I7', 36

-- A rule reads and writes states, whatever load answers first:
--   load(stored or false, whether this rule stored it, what is spent, in how many parts of a permit,
--     the time it was stored, the time, what must fit, four numbers, how far time is ahead of the
--     clock, the time the state will have run out, key): the state, the wait until it fits, and
--     whether another limit stored it
--   give_back(state, the time, the cost, when it was charged, four numbers, key): the state
--   settle(key, the time, how far it is ahead, the cost, the wait, four numbers, state, whether to
--     save): charges the cost, saves, and answers the permits left and the wait until nothing is spent
local rules = {}

--RULES--

local now, operation = tonumber(ARGV[1]), ARGV[2]
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
if operation == 'RESET' then redis.call('DEL', unpack(KEYS)) end

local asks = operation == 'ACQUIRE' or operation == 'PEEK'
local drafts, reply, fits = {}, { now }, operation == 'ACQUIRE' or operation == 'CHARGE'
for i = 1, #KEYS do
  local a = 8 * i - 5
  local rule, key, cost, time = rules[ARGV[a]], KEYS[i], ARGV[a + 1] + 0, ARGV[a + 3] + 0
  local p, q, r, s = ARGV[a + 4] + 0, ARGV[a + 5] + 0, ARGV[a + 6] + 0, ARGV[a + 7] + 0
  local stored, t, ahead, save, own = redis.call('GETRANGE', key, 0, rule.bytes - 1), now, 0, false, true
  local tag, spent, unit, at, ends
  if stored == '' then
    stored = false
  else
    tag, spent, unit, at, ahead, ends = struct.unpack(HEADER, stored)
    t = now + ahead
    if t < at then t, ahead, save = at, at - now, true end
    if t >= ends then
      stored, t, ahead, save = false, now, 0, true
    elseif tag ~= rule.tag then
      spent, unit, t, ahead, own, save = ceil(spent / unit), 1, now, 0, false, true
    end
  end
  local asked = asks and cost + ARGV[a + 2] or 0
  local state, wait, changed = rule.load(stored, own, spent, unit, at, t, asked, p, q, r, s, ahead, ends, key)
  if operation == 'GIVE_BACK' then
    state, wait, save, cost = rule.give_back(state, t, cost, time, p, q, r, s, key), 0, true, 0
  elseif operation == 'CHARGE' then
    wait = 0
  end
  if wait > (time < 0 and -1 - time or time) then
    if time < 0 then cost = 0 else fits = false end
  end
  drafts[i] = { rule.settle, key, t, ahead, cost, wait, p, q, r, s, state, save or changed }
end

for i = 1, #KEYS do
  local settle, key, t, ahead, cost, wait, p, q, r, s, state, save = unpack(drafts[i], 1, 12)
  if not fits then cost = 0 end
  local left, reset = settle(key, t, ahead, cost, wait, p, q, r, s, state, save or cost > 0)
  reply[3 * i - 1], reply[3 * i], reply[3 * i + 1] = left, wait, reset
end
return reply
