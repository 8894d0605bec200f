-- The limit of number i: reads its state, has those that follow decide, settles, and tells, for so many
-- calls at once. What is charged, and whether, is known when all have been read.
-- A rule has four parts, which stand in the places below, and may name variables before these that no
-- other rule names:
--   READ: sets letter to its own, shortest to the bytes that its states have at least, and stored to the
--     state, or as much of it as it needs, or to false, or to the error of reading
--   LOAD: works the state out to the time t, and sets wait until asked, what must fit, has its place.
--     The state is what is stored, if any; else nothing is spent. It is the rule's own, or not own: of
--     another rule, of which only spent is known, in whole permits, and since when: if that is yet to come,
--     calls wait in line until then
--   GIVE BACK: takes cost, which was charged at time, from what is spent
--   SETTLE: charges cost, which may be 0, at its place, stores the state if save, and sets left, the
--     permits left, and reset, the wait until nothing is spent
-- p, q, r and s are the four numbers of the algorithm.

local number, cost, reserve, time, p, q, r, s = struct.unpack('<dddddddd', numbers, 64 * i - 39)
cost = cost * times
local asked = asks and cost + reserve or 0
local key, t, ahead, own, save = KEYS[i], now, 0, true, false
local letter, shortest, stored, wait, left, reset
--NAMES--
--READ--
local tag, spent, unit, at, ends, first, over, since, unreadable
if stored then
  if #stored >= STATE_BYTES then
    tag, spent, unit, at, ahead, ends, first = struct.unpack(STATE, stored)
    if tag == letter then unreadable = #stored < shortest else unreadable = not string.find('tfkcl', tag, 1, true) end
    unreadable = unreadable or ends - now > LONGEST_LIFE
  else
    -- Too short, or the error of another type. Any other error is a failure.
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
--LOAD--
-- What another limit wrote is left alone until this one charges, or the clock has stepped back. Until
-- then it has run out when that limit says so.
local foreign = stored and not own and not save
if wait > 0 and (foreign or stored and not save and wait > over) then wait = over end
if operation == 'GIVE_BACK' then
  if not foreign then
    --GIVE BACK--
    save = true
  end
  wait, cost = 0, 0
elseif operation == 'CHARGE' then
  wait = 0
end
if wait > (time < 0 and -1 - time or time) then
  if time < 0 then cost = 0 else charge = false end
end
--FOLLOWING--

if not charge then cost = 0 end
save = save or cost > 0
--SETTLE--
if stored and not save and (foreign or reset > over) then reset = over end
if unreadable then reset = -1 - reset end
--TELL--
