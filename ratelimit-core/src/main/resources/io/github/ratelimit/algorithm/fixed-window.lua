-- Fixed window, the twin of FixedWindow.java. p is permits. Windows begin with a first charge, and q is
-- their length and r is 0; or they follow the calendar, and q is the begin of the one of now, r its end,
-- and s the end of the one after it.
-- State: its own number is the length of a window (us), 0 where they follow the calendar.

local begun

--READ--
letter, stored = 'f', redis.call('GET', key)

--LOAD--
if r > 0 then t = t - ahead end
local this_end = r == 0 and t + q or t < r and r or s
if not stored then
  ends = 0
elseif not own then
  ends = spent > 0 and this_end or 0
elseif first ~= (r > 0 and 0 or q) or r > 0 and ends > r and ends ~= s then
  if ends > this_end then ends = this_end end
  save = true
end
begun = r == 0 and ends - q or ends == s and r or q
wait = ends > t and (spent + asked <= p and begun or ends) - t or 0
if wait < 0 then wait = 0 end

--GIVE BACK--
if time >= begun then spent = spent > cost and spent - cost or 0 end

--SETTLE--
if cost > 0 then
  local place = t + wait
  if ends <= place then
    spent, ends = cost, r == 0 and place + q or place < r and r or s
  else
    spent = spent + cost
    if spent > LARGEST then spent = LARGEST end
  end
  begun = r == 0 and ends - q or ends == s and r or q
end
reset = ends > t and ends - t or 0
if save then
  local length, written = q, t
  if r > 0 then length, written, ahead = 0, 0, 0 end
  redis.call('SET', key, struct.pack(STATE, 'f', spent, 1, written, ahead, ends, length), 'PX',
    ceil(reset / 1000) + TTL_MARGIN)
end
if reset == 0 then
  left = p
else
  left = begun <= t and spent < p and p - spent or 0
end
