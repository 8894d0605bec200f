-- Sliding window counter, the twin of SlidingWindowCounter.java, which explains the arithmetic. p is the
-- permits, q the ticks of a window, r a tick.
-- State: the time of the rule is the start of the later window (us). Then follow the permits spent in that
-- window, and the start of the state with nothing spent. The header has what is spent in both windows.

local WINDOWS, COUNTER = '<I7I7', STATE .. 'I7I7'
local MOST = LARGEST / 2 -- that is counted in one window
local length = q * r
local earlier, later, begin, began = 0, 0, 0, 0

local function micros(time, ticks, tick)
  if ticks == 0 then return 0 end
  return (math.floor(time / tick) + ticks) * tick - time
end

local function share_allows(before, room, window)
  if before == 0 then return 0 end
  local ticks = window - math.floor(room * window / before)
  return ticks > 0 and ticks or 0
end

--READ--
letter, shortest, stored = LETTERS[1], 57, redis.pcall('GET', key)

--LOAD--
if stored and own then
  later, began = struct.unpack(WINDOWS, stored, STATE_BYTES + 1)
  earlier, begin = spent - later, first
else
  if stored and since > t and spent < p then spent = p end
  later, begin, began = spent < MOST and spent or MOST, floor(t / length) * length, t
end
local start = begin > t and begin or t
local window = floor(start / length) * length
if begin ~= window then
  earlier, later, begin = begin == window - length and later or 0, 0, window
end
local elapsed, ticks = floor(start / r) % q
if later + required <= p then
  ticks = share_allows(earlier, p - required - later, q) - elapsed
  if ticks < 0 then ticks = 0 end
else
  ticks = q - elapsed + share_allows(later, p - required, q)
end
wait = start - t + micros(start, ticks, r)

--REFUND--
save = true
local charged = time >= began and floor(turn / length) * length
if charged == begin then
  later = later > cost and later - cost or 0
elseif charged == begin - length then
  earlier = earlier > cost and earlier - cost or 0
end

--WRITE--
if cost > 0 then
  local turn = t + (wait > latest and wait or latest)
  turn = floor((turn > begin and turn or begin) / length) * length
  if begin ~= turn then
    earlier, later, begin = begin == turn - length and later or 0, 0, turn
  end
  later = later + (cost < MOST and cost or MOST)
  if later > MOST then later = MOST end
end
local start = begin > t and begin or t
local elapsed = floor(start / r) % q
reset = 0
if later > 0 then
  reset = start - t + micros(start, 2 * q - elapsed, r)
elseif earlier > 0 then
  reset = start - t + micros(start, q - elapsed, r)
end
if save then
  redis.call('SET', key, struct.pack(COUNTER, LETTERS[1], earlier + later, 1, t, ahead, t + reset, begin, later, began),
    'PX', ceil(reset / 1000) + TTL_MARGIN)
end
left = begin <= t and floor((p * q - earlier * (q - elapsed)) / q) - later or 0
if left < 0 then left = 0 end
