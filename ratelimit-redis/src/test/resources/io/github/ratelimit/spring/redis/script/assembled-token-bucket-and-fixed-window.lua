-- Executes an operation on all limits of a request at once: for one request, for several equal ones, or
-- for several one by one.
-- KEYS: the count of each limit.
-- ARGV: the operation; then numbers in one text: the time in us, below 0 for that of the server; the
-- number of requests; how many of them fit at most when nothing is spent; then eight numbers for each
-- limit: the number of its rule, the cost of a request, the reserve (or from when the permits to refund or
-- renew count), a time (the longest wait, in shadow -1 less that, or when these permits were charged), and the
-- four of its algorithm. A limit in shadow is charged if the request fits, and denies nothing. If there is a
-- further text, its two numbers are the times from and before which the request can be decided, as its windows
-- of the calendar are those of that span. At any other time nothing is read or written, and the reply is the
-- time and -1.
-- Reply: numbers in one text: the time, and how many of several requests are admitted; then the results
-- of the last one admitted, if any, and those of the others, if any. The results of a limit are the
-- permits left, the wait until the turn of the request (or the permits that could not be renewed, as they
-- are gone) and the time until nothing is spent, in us; the last is -1 less that if the stored value was unreadable and was overwritten. For requests one by one,
-- the keys, the eight numbers and the results follow one another.
-- Redis runs the whole script for each request, and to create a function takes as long as to run a
-- command. So the script is assembled as text with few functions.

local floor, ceil = math.floor, math.ceil
local LARGEST = 9007199254740992 -- up to which numbers have no gaps
local TTL_MARGIN = 500 -- ms by which a state outlives its count
local LONGEST_LIFE = 11000000000000000 -- us, longer than any state lives

-- A stored state starts with the letter of its rule, the parts that are spent, the parts of a permit, the
-- time it was stored, how far that is ahead of the clock, the time it runs out, and a time of the rule,
-- before which no other rule admits a request: that of the last turn, if it is in the future. Any other
-- value is overwritten as if there were none. Time never steps back for a state: if the clock does, the
-- time of the state is ahead of it.
local STATE, STATE_BYTES = '<c1I7I7I7I7I7I7', 43

local operation, numbers, latest = ARGV[1], ARGV[2], 0 -- latest: the wait until the turn of a request
local now, requests, most = struct.unpack('<ddd', numbers)
if now < 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
if ARGV[3] then
  local from, before = struct.unpack('<dd', ARGV[3])
  if now < from or now >= before then return struct.pack('<dd', now, -1) end
end
if operation == 'RESET' then redis.call('DEL', unpack(KEYS)) end
local must_fit = operation == 'ACQUIRE' or operation == 'PEEK'
local refund = operation == 'REFUND' or operation == 'RENEW'
local charge = operation == 'ACQUIRE' or operation == 'CHARGE' or operation == 'RENEW'

-- One request with few limits. Each limit is nested in the one before it, and the results follow in turn.

local times, before = 1, 0
local left_0, wait_0, reset_0, left_1, wait_1, reset_1
do
local i = before + 1
-- The limit with index i, for a number of requests at once: reads its state, runs the limits after it,
-- writes the state and records its results. The charge is known once all limits have been read.
-- A rule has four parts, which replace the placeholders below. Before these it may declare variables with
-- names that no other rule has:
--   READ: sets letter to that of the rule, shortest to the least bytes of its states, and stored to the
--     state, or to the part of it that it needs, or to false, or to the error of reading
--   LOAD: computes the state at the time t, and sets wait until the turn of required, which must fit. The
--     state is the stored one, if any; else nothing is spent. If it is not own, another rule wrote it, and
--     only spent, in whole permits, and since are known: if since is in the future, requests wait until then
--   REFUND: subtracts cost, which was charged at time and counts from turn, from what is spent, and sets save
--     if that changes the state. To renew a charge, whole permits are refunded and charged again
--   WRITE: charges cost, which may be 0, at its turn or, in windows and logs, at the latest of all limits,
--     stores the state if save, and sets left, the permits left, and reset, the time until nothing is spent
-- p, q, r and s are the four numbers of the algorithm.

local number, cost, reserve, time, p, q, r, s = struct.unpack('<dddddddd', numbers, 64 * i - 39)
cost = cost * times
local required = must_fit and cost + reserve or 0
local key, t, ahead, own, save = KEYS[i], now, 0, true, false
local letter, shortest, stored, wait, lost, left, reset
-- Token bucket, the twin of TokenBucket.java, which explains the arithmetic. p is the capacity in parts, q
-- the parts of a permit, r the refill in a tick, s a tick.
-- State: the time of the rule is the start of the state with nothing spent. Then follow the low marks, if
-- there are any: as LowMarks.java explains, the code of the length of an epoch, the bits of a grain, the
-- epochs since a refund that needed this length, and the marks of ten epochs.

local MARKS, MARKS_BYTES, EPOCHS = '<BBBHHHHHHHHHH', 23, 10
-- The marks as unpacked, the length of an epoch and the grain.
local marks, span, grain
local LONGEST_WAIT = 366 * 86400 * 1000000 -- us
local largest = p + r * floor(LONGEST_WAIT / s)
if largest > LARGEST then largest = LARGEST end

do
letter, shortest, stored = 't', STATE_BYTES, redis.pcall('GET', key)

end
local tag, spent, unit, at, ends, first, over, since, unreadable
if stored then
  if #stored >= STATE_BYTES then
    tag, spent, unit, at, ahead, ends, first = struct.unpack(STATE, stored)
    if tag == letter then unreadable = #stored < shortest else unreadable = not string.find('tfkclh', tag, 1, true) end
    unreadable = unreadable or ends - now > LONGEST_LIFE
  else
    -- The value is too short or of another type. Any other error is a failure.
    if stored.err and not string.find(stored.err, 'WRONGTYPE') then redis.call('GET', key) end
    unreadable = true
  end
  t = now + ahead
  if unreadable then
    stored, spent, t, ahead, save = false, 0, now, 0, true
  else
    if t < at then t, ahead, save = at, at - now, true end
    over = ends - t
    if over <= 0 then
      stored, spent, t, ahead, save = false, 0, now, 0, true
    elseif tag ~= letter then
      own, spent, unit = false, ceil(spent / unit), 1
      since = save and now or (first > at and first or at) - ahead
      t, ahead = now, 0
    end
  end
else
  spent = 0
end
do
if not stored then
  first = t
else
  if not own then
    spent = spent * q
    if spent > largest then spent = largest end
    if since > t then
      spent = (spent > p and spent or p) + ceil((since - t + t % s) / s) * r
      since = t
    end
    at, first = since, t
  elseif unit ~= q then
    local whole = floor(spent / unit)
    if whole >= floor(largest / q) then
      spent = largest
    else
      -- The rest of a permit in other parts, rounded up, by digits of seven bits.
      local rest, digit = spent % unit, 2 ^ 42
      spent, left = 0, 0
      while digit >= 1 do
        left = left * 128 + rest * (floor(q / digit) % 128)
        spent, left, digit = spent * 128 + floor(left / unit), left % unit, digit / 128
      end
      spent = whole * q + spent + (left > 0 and 1 or 0)
    end
  end
  if spent > largest then spent = largest end
  spent = spent - (t - t % s - at + at % s) / s * r
  if spent < 0 then spent = 0 end
  if own and #stored == STATE_BYTES + MARKS_BYTES then
    marks = { struct.unpack(MARKS, stored, STATE_BYTES + 1) }
    span, grain = (4 + marks[1] % 4) * 2 ^ floor(marks[1] / 4), 2 ^ marks[2]
    local past, low, _, bits = floor(t / span) - floor(at / span), floor(spent / grain), math.frexp(p)
    marks[3] = marks[3] + past
    if unit ~= q or marks[2] ~= (bits > 15 and bits - 15 or 0) or marks[3] > 2 * EPOCHS then
      marks = nil
    else
      if low > 65535 then low = 65535 end
      for mark = EPOCHS + 3, 4, -1 do marks[mark] = mark - past > 3 and marks[mark - past] or low end
      if marks[4] > low then marks[4] = low end
    end
  end
end
local lacking = spent - p + required * q
wait = lacking > 0 and ceil(lacking / r) * s - t % s or 0

end
-- The state of another limit stays as it is until this one charges or the clock steps back. Until then it
-- runs out at the time that the other limit has computed.
local foreign = stored and not own and not save
if wait > 0 and (foreign or stored and not save and wait > over) then wait = over end
if refund then
  local turn = reserve
  lost = spent
  if not foreign then
    do
if time >= first then
  save = true
  local from, parts = time < t and time or t, cost * q
  if parts > LARGEST then parts = LARGEST end
  local refunded, age = parts - (t - t % s - from + from % s) / s * r, EPOCHS
  if refunded < 0 then refunded = 0 end
  if marks then age = floor(t / span) - floor(from / span) end
  if 16 * (parts - refunded) > parts then
    if not marks or age >= EPOCHS and (t - from <= 4 * (EPOCHS - 1) * span or marks[3] > EPOCHS) then
      local code, _, bits = 0, math.frexp(p)
      bits, span = bits > 15 and bits - 15 or 0, 4
      while (EPOCHS - 1) * span < t - from do
        code = code + 1
        span = (4 + code % 4) * 2 ^ floor(code / 4)
      end
      marks, grain, age = { code, bits, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }, 2 ^ bits, EPOCHS
    elseif age < EPOCHS and 4 * (t - from) > (EPOCHS - 1) * span then
      marks[3] = 0
    end
  end
  if age < EPOCHS then
    local ends = (floor(from / span) + 1) * span
    if ends > t then ends = t end
    local least = parts - (ends - ends % s - from + from % s) / s * r
    if least < marks[4 + age] * grain then least = marks[4 + age] * grain end
    for mark = 4, 3 + age do
      if marks[mark] * grain < least then least = marks[mark] * grain end
    end
    if refunded < least then refunded = least < parts and least or parts end
  else
    age = EPOCHS - 1
  end
  if refunded > spent then refunded = spent end
  spent = spent - refunded
  if marks then
    for mark = 4, 4 + age do
      local low = marks[mark] - ceil(refunded / grain)
      marks[mark] = low > 0 and low or 0
    end
  end
end

end
  end
  cost, lost = lost - spent, cost - lost + spent
  if operation == 'REFUND' then cost = 0 end
  wait = 0
elseif operation == 'CHARGE' then
  wait = 0
end
if wait > (time < 0 and -1 - time or time) then
  if time < 0 then cost = 0 else charge = false end
elseif time >= 0 and wait > latest then
  latest = wait
end
do
local i = before + 2
-- The limit with index i, for a number of requests at once: reads its state, runs the limits after it,
-- writes the state and records its results. The charge is known once all limits have been read.
-- A rule has four parts, which replace the placeholders below. Before these it may declare variables with
-- names that no other rule has:
--   READ: sets letter to that of the rule, shortest to the least bytes of its states, and stored to the
--     state, or to the part of it that it needs, or to false, or to the error of reading
--   LOAD: computes the state at the time t, and sets wait until the turn of required, which must fit. The
--     state is the stored one, if any; else nothing is spent. If it is not own, another rule wrote it, and
--     only spent, in whole permits, and since are known: if since is in the future, requests wait until then
--   REFUND: subtracts cost, which was charged at time and counts from turn, from what is spent, and sets save
--     if that changes the state. To renew a charge, whole permits are refunded and charged again
--   WRITE: charges cost, which may be 0, at its turn or, in windows and logs, at the latest of all limits,
--     stores the state if save, and sets left, the permits left, and reset, the time until nothing is spent
-- p, q, r and s are the four numbers of the algorithm.

local number, cost, reserve, time, p, q, r, s = struct.unpack('<dddddddd', numbers, 64 * i - 39)
cost = cost * times
local required = must_fit and cost + reserve or 0
local key, t, ahead, own, save = KEYS[i], now, 0, true, false
local letter, shortest, stored, wait, lost, left, reset
-- Fixed window, the twin of FixedWindow.java. p is the permits. Windows start with a first charge, and then
-- q is their length and r is 0; or they follow the calendar, and then q is the start of the current one, r
-- its end, and s the end of the next.
-- State: the time of the rule is the start of the window, or of the state with nothing spent if later. If the
-- state began before its window, as calls waited for that, the start of the state follows.

local begun

do
letter, shortest, stored = r > 0 and 'k' or 'f', STATE_BYTES, redis.pcall('GET', key)

end
local tag, spent, unit, at, ends, first, over, since, unreadable
if stored then
  if #stored >= STATE_BYTES then
    tag, spent, unit, at, ahead, ends, first = struct.unpack(STATE, stored)
    if tag == letter then unreadable = #stored < shortest else unreadable = not string.find('tfkclh', tag, 1, true) end
    unreadable = unreadable or ends - now > LONGEST_LIFE
  else
    -- The value is too short or of another type. Any other error is a failure.
    if stored.err and not string.find(stored.err, 'WRONGTYPE') then redis.call('GET', key) end
    unreadable = true
  end
  t = now + ahead
  if unreadable then
    stored, spent, t, ahead, save = false, 0, now, 0, true
  else
    if t < at then t, ahead, save = at, at - now, true end
    over = ends - t
    if over <= 0 then
      stored, spent, t, ahead, save = false, 0, now, 0, true
    elseif tag ~= letter then
      own, spent, unit = false, ceil(spent / unit), 1
      since = save and now or (first > at and first or at) - ahead
      t, ahead = now, 0
    end
  end
else
  spent = 0
end
do
if r > 0 then
  if stored and own and ends > r and ends ~= s then own, since = false, save and now or first > at and first or at end
  t, ahead = now, 0
end
if not stored then
  first, ends = t, 0
elseif own then
  if #stored > STATE_BYTES then first = struct.unpack('<I7', stored, STATE_BYTES + 1) end
  if r > 0 and first > t then first = t end
else
  if since > t and spent < p then spent = p end
  first, ends = t, spent == 0 and 0 or r == 0 and t + q or t < r and r or s
end
begun = r == 0 and ends - q or ends == s and r or q
if begun < first then begun = first end
wait = ends > t and (spent + required <= p and begun or ends) - t or 0
if wait < 0 then wait = 0 end

end
-- The state of another limit stays as it is until this one charges or the clock steps back. Until then it
-- runs out at the time that the other limit has computed.
local foreign = stored and not own and not save
if wait > 0 and (foreign or stored and not save and wait > over) then wait = over end
if refund then
  local turn = reserve
  lost = spent
  if not foreign then
    do
save = true
if time >= first and turn >= begun then spent = spent > cost and spent - cost or 0 end

end
  end
  cost, lost = lost - spent, cost - lost + spent
  if operation == 'REFUND' then cost = 0 end
  wait = 0
elseif operation == 'CHARGE' then
  wait = 0
end
if wait > (time < 0 and -1 - time or time) then
  if time < 0 then cost = 0 else charge = false end
elseif time >= 0 and wait > latest then
  latest = wait
end

if not charge then cost = 0 end
save = save or cost > 0
do
if cost > 0 then
  local turn = t + (wait > latest and wait or latest)
  if r > 0 and turn >= s then turn = s - 1 end
  if ends <= turn then
    spent, ends = cost, r == 0 and turn + q or turn < r and r or s
  else
    spent = spent + cost
    if spent > LARGEST then spent = LARGEST end
  end
  begun = r == 0 and ends - q or ends == s and r or q
  if begun < first then begun = first end
end
reset = ends > t and ends - t or 0
if save then
  local state = struct.pack(STATE, letter, spent, 1, t, ahead, ends, begun)
  if first < begun then state = state .. struct.pack('<I7', first) end
  redis.call('SET', key, state, 'PX', ceil(reset / 1000) + TTL_MARGIN)
end
if reset == 0 then
  left = p
else
  left = begun <= t and spent < p and p - spent or 0
end
end
if stored and not save and (foreign or reset > over) then reset = over end
if unreadable then reset = -1 - reset end
if operation == 'RENEW' then wait = lost end
left_1, wait_1, reset_1 = left, wait, reset
end

if not charge then cost = 0 end
save = save or cost > 0
do
spent = spent + cost * q
if spent > p and spent > largest then spent = largest end
reset = spent > 0 and ceil(spent / r) * s - t % s or 0
if save then
  local state = struct.pack(STATE, 't', spent, q, t, ahead, t + reset, first)
  if marks then state = state .. struct.pack(MARKS, unpack(marks, 1, EPOCHS + 3)) end
  redis.call('SET', key, state, 'PX', ceil(reset / 1000) + TTL_MARGIN)
end
left = spent < p and floor((p - spent) / q) or 0
end
if stored and not save and (foreign or reset > over) then reset = over end
if unreadable then reset = -1 - reset end
if operation == 'RENEW' then wait = lost end
left_0, wait_0, reset_0 = left, wait, reset
end
return struct.pack('<dddddddd', now, 1, left_0, wait_0, reset_0, left_1, wait_1, reset_1)
