-- The limit of number i: reads its state, has those that follow decide, settles, and tells, for so many
-- calls at once. What is charged, and whether, is known when all have been read.
-- A rule has four parts, which stand in the places below, and may name variables before these that no
-- other rule names:
--   READ: sets letter to its own, and stored to the state, or as much of it as it needs, or to false
--   LOAD: works the state out to the time t, and sets wait until asked, what must fit, has its place.
--     The state is what is stored, if any; else nothing is spent. It is the rule's own, or another
--     rule's, of which only spent is known, in whole permits. Sets save if the state is to be stored
--     whatever comes
--   GIVE BACK: takes cost, which was charged at time, from what is spent
--   SETTLE: charges cost, which may be 0, at its place, stores the state if save, and sets left, the
--     permits left, and reset, the wait until nothing is spent
-- p, q, r and s are the four numbers of the algorithm.

local number, cost, reserve, time, p, q, r, s = struct.unpack('<dddddddd', numbers, 64 * i - 39)
cost = cost * times
local asked = asks and cost + reserve or 0
local key, t, ahead, own, save = KEYS[i], now, 0, true, false
local letter, stored, wait, left, reset
--NAMES--
--READ--
local tag, spent, unit, at, ends, first
if stored then
  tag, spent, unit, at, ahead, ends, first = struct.unpack(STATE, stored)
  t = now + ahead
  if t < at then t, ahead, save = at, at - now, true end
  if t >= ends then
    stored, spent, t, ahead, save = false, 0, now, 0, true
  elseif tag ~= letter then
    spent, unit, t, ahead, own, save = ceil(spent / unit), 1, now, 0, false, true
  end
else
  spent = 0
end
--LOAD--
if operation == 'GIVE_BACK' then
  --GIVE BACK--
  wait, cost, save = 0, 0, true
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
--TELL--
