-- Carries out an operation on every limit of a call at once.
-- KEYS: a count for each limit.
-- ARGV: the time in us, or '' for the server's; the operation; then for each limit its rule, and seven
-- numbers in one text: the cost, the reserve, a time (how long to wait at most, in shadow -1 less that,
-- or when what is given back was charged), and the four of its algorithm. A limit in shadow is charged
-- if it fits, and denies nothing.
-- Answers the time, then for each limit the permits left, the wait until the call has its place and
-- the wait until nothing is spent, in us.

local floor, ceil = math.floor, math.ceil
local LARGEST = 9007199254740992 -- up to which numbers have no gaps
local TTL_MARGIN = 500 -- ms, so that no state expires while it still counts

local now, operation = tonumber(ARGV[1]), ARGV[2]
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
if operation == 'RESET' then redis.call('DEL', unpack(KEYS)) end

-- A stored state begins with a letter for its rule, what is spent, in how many parts of a permit, the
-- time it was stored, how far that is ahead of the clock, and the time it will have run out. Time
-- never steps back for a state: where the clock does, the state's own time is ahead of it.
local HEADER, HEADER_BYTES = '<c1I7I7I7I7I7', 36

-- A rule has a tag, its letter, may know how to read a part of a long value, and reads and writes
-- states, whatever load answers first. Redis runs all of this anew for each call, so what a rule seldom
-- needs, it makes only then.
--   read(key): the stored state, or false; by default the whole value
--   load(stored or false, whether this rule stored it, what is spent, in how many parts of a permit,
--     the time it was stored, the time, what must fit, four numbers, how far time is ahead of the
--     clock, the time the state will have run out, key): the state, the wait until it fits, and
--     whether another limit stored it
--   give_back(state, the time, the cost, when it was charged, four numbers, key): the state
--   settle(key, the time, how far it is ahead, the cost, the wait, four numbers, state, whether to
--     save): charges the cost, saves, and answers the permits left and the wait until nothing is spent
local rules = {}

--RULES--

local asks = operation == 'ACQUIRE' or operation == 'PEEK'

local reply = { now, 0, 0, 0 }

-- Reads the state of a limit, has the limits that follow decide, and settles. Answers whether all of
-- them charge.
local function decide(i, charge)
  local rule, key = rules[ARGV[2 * i + 1]], KEYS[i]
  local cost, reserve, time, p, q, r, s = struct.unpack('<ddddddd', ARGV[2 * i + 2])
  local stored, t, ahead, save, own = rule.read and rule.read(key), now, 0, false, true
  if stored == nil then stored = redis.call('GET', key) end
  local tag, spent, unit, at, ends
  if stored then
    tag, spent, unit, at, ahead, ends = struct.unpack(HEADER, stored)
    t = now + ahead
    if t < at then t, ahead, save = at, at - now, true end
    if t >= ends then
      stored, t, ahead, save = false, now, 0, true
    elseif tag ~= rule.tag then
      spent, unit, t, ahead, own, save = ceil(spent / unit), 1, now, 0, false, true
    end
  end
  local asked = asks and cost + reserve or 0
  local state, wait, changed = rule.load(stored, own, spent, unit, at, t, asked, p, q, r, s, ahead, ends, key)
  if operation == 'GIVE_BACK' then
    state, wait, save, cost = rule.give_back(state, t, cost, time, p, q, r, s, key), 0, true, 0
  elseif operation == 'CHARGE' then
    wait = 0
  end
  if wait > (time < 0 and -1 - time or time) then
    if time < 0 then cost = 0 else charge = false end
  end
  if i < #KEYS then charge = decide(i + 1, charge) end

  if not charge then cost = 0 end
  save = save or changed or cost > 0
  local left, reset = rule.settle(key, t, ahead, cost, wait, p, q, r, s, state, save)
  reply[3 * i - 1], reply[3 * i], reply[3 * i + 1] = left, wait, reset
  return charge
end

if #KEYS > 0 then decide(1, operation == 'ACQUIRE' or operation == 'CHARGE') end
return reply
