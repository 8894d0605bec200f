-- Carries out an operation on every limit of a call at once, for one call or for several that ask the
-- same.
-- KEYS: a count for each limit.
-- ARGV: the operation; then numbers in one text: the time in us, below 0 for the server's; how many
-- calls there are; how many of them fit at most when nothing is spent; then eight for each limit: which
-- of the rules is its, the cost of a call, the reserve, a time (how long to wait at most, in shadow -1
-- less that, or when what is given back was charged), and the four of its algorithm. A limit in shadow
-- is charged if it fits, and denies nothing.
-- Answers numbers in one text: the time, and how many of several calls are admitted; then what the
-- limits say to the last of these, if any, and what they say to the others, if any: for each limit the
-- permits left, the wait until the call has its place and the wait until nothing is spent, in us.

local floor, ceil = math.floor, math.ceil
local LARGEST = 9007199254740992 -- up to which numbers have no gaps
local TTL_MARGIN = 500 -- ms, so that no state expires while it still counts

local operation = ARGV[1]
local now, calls, most = struct.unpack('<ddd', ARGV[2])
if now < 0 then
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

-- The answer, and where in it to write what the limits say.
local answer, place = { now, 1 }, 0

-- Reads the state of a limit, has the limits that follow decide, and settles, for so many calls.
-- Answers whether all of them charge.
local function decide(i, charge, times)
  local number, cost, reserve, time, p, q, r, s = struct.unpack('<dddddddd', ARGV[2], 64 * i - 39)
  cost = cost * times
  local rule, key = rules[number], KEYS[i]
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
  if i < #KEYS then charge = decide(i + 1, charge, times) end

  if not charge then cost = 0 end
  save = save or changed or cost > 0
  local left, reset = rule.settle(key, t, ahead, cost, wait, p, q, r, s, state, save)
  local n = place + 3 * i
  answer[n], answer[n + 1], answer[n + 2] = left, wait, reset
  return charge
end

if calls == 1 then
  if #KEYS > 0 then decide(1, operation == 'ACQUIRE' or operation == 'CHARGE', 1) end
else
  -- None of them waits, so at one instant those that come first fit, and the others do not.
  local admitted = calls < most and calls or most
  if not decide(1, true, admitted) then
    for i = 1, #KEYS do
      local _, cost, reserve = struct.unpack('<ddd', ARGV[2], 64 * i - 39)
      local fitting = floor((answer[3 * i] - reserve) / cost)
      if fitting < admitted then admitted = fitting > 0 and fitting or 0 end
    end
    if admitted > 0 then decide(1, true, admitted) end
  end
  if admitted < calls then
    if admitted > 0 then place = 3 * #KEYS end
    decide(1, false, 1)
  end
  answer[2] = admitted
end
return struct.pack(#answer == 5 and '<ddddd' or '<' .. string.rep('d', #answer), unpack(answer))
