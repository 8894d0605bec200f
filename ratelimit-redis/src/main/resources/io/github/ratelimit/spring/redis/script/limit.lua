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
--NAMES--
--READ--
local tag, spent, unit, at, ends, first, over, since, unreadable
if stored then
  if #stored >= STATE_BYTES then
    tag, spent, unit, at, ahead, ends, first = struct.unpack(STATE, stored)
    if tag == letter then unreadable = #stored < shortest else unreadable = not string.find('--LETTERS--', tag, 1, true) end
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
--LOAD--
-- The state of another limit stays as it is until this one charges or the clock steps back. Until then it
-- runs out at the time that the other limit has computed.
local foreign = stored and not own and not save
if wait > 0 and (foreign or stored and not save and wait > over) then wait = over end
if refund then
  local turn = reserve
  lost = spent
  if not foreign then
    --REFUND--
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
--FOLLOWING--

if not charge then cost = 0 end
save = save or cost > 0
--WRITE--
if stored and not save and (foreign or reset > over) then reset = over end
if unreadable then reset = -1 - reset end
if operation == 'RENEW' then wait = lost end
--REPLY--
