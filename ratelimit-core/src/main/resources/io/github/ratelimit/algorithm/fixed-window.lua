-- Fixed window, the twin of FixedWindow.java. p is the permits. Windows start with a first charge, and then
-- q is their length and r is 0; or they follow the calendar, and then q is the start of the current one, r
-- its end, and s the end of the next.
-- State: the time of the rule is the start of the window, or of the state with nothing spent if later. If the
-- state began before its window, as calls waited for that, the start of the state follows.

local begun

--READ--
letter, shortest, stored = r > 0 and LETTERS[2] or LETTERS[1], STATE_BYTES, redis.pcall('GET', key)

--LOAD--
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

--REFUND--
save = true
if time >= first and turn >= begun then spent = spent > cost and spent - cost or 0 end

--WRITE--
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
