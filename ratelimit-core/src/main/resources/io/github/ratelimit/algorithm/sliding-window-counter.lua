-- Sliding window counter, the twin of SlidingWindowCounter.java: see there for the arithmetic.
-- State: permits spent in both windows, 1, those in the later window, time that one began (us).

local function micros(now, ticks, tick)
  if ticks == 0 then return 0 end
  return (floor(now / tick) + ticks) * tick - now
end

local function share_allows(earlier, room, window)
  if earlier == 0 then return 0 end
  local ticks = window - floor(room * window / earlier)
  return ticks > 0 and ticks or 0
end

-- Answers the permits spent in the window before and in the one of now, as one table.
local function roll(spent, later, began, begin, length)
  if began == begin then return { spent - later, later } end
  if began == begin - length then return { later, 0 } end
  if began > begin - length then return { 0, spent } end
  return { 0, 0 }
end

local function wait(state, now, cost, permits, window, tick)
  local elapsed = floor(now / tick) % window
  if state[2] + cost <= permits then
    local ticks = share_allows(state[1], permits - cost - state[2], window) - elapsed
    return micros(now, ticks > 0 and ticks or 0, tick)
  end
  return micros(now, window - elapsed + share_allows(state[2], permits - cost, window), tick)
end

local function reset_after(state, now, window, tick)
  local elapsed = floor(now / tick) % window
  if state[2] > 0 then return micros(now, 2 * window - elapsed, tick) end
  if state[1] > 0 then return micros(now, window - elapsed, tick) end
  return 0
end

rules['sliding-window-counter'] = {
  load = function(key, now, cost, permits, window, tick)
    local state, dirty = { 0, 0 }, false
    local stored = redis.call('GET', key)
    if stored then
      local length = window * tick
      local begin = floor(now / length) * length
      local tag, spent, unit, later = struct.unpack('<c1ddd', stored)
      local began
      if tag ~= 'c' then
        spent = ceil(spent / unit)
        later, began, dirty = spent, begin, true
      else
        began = struct.unpack('<d', stored, 26)
        if began > begin then began, dirty = begin, true end
      end
      state = roll(spent, later, began, begin, length)
      if state[1] > permits then state[1] = permits end
      if state[2] > permits then state[2] = permits end
    end
    return state, wait(state, now, cost, permits, window, tick), dirty
  end,

  settle = function(key, now, cost, permits, window, tick, _, state, save)
    state[2] = state[2] + cost
    local reset = reset_after(state, now, window, tick)
    if save then
      local length = window * tick
      local value = struct.pack('<c1dddd', 'c', state[1] + state[2], 1, state[2], floor(now / length) * length)
      redis.call('SET', key, value, 'PX', ceil(reset / 1000) + TTL_MARGIN)
    end
    local covered = state[1] * (window - floor(now / tick) % window)
    local left = floor((permits * window - covered) / window) - state[2]
    return left > 0 and left or 0, reset
  end,
}
