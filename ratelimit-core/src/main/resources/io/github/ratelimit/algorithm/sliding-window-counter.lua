-- Sliding window counter, the twin of SlidingWindowCounter.java: see there for the arithmetic.
-- State: permits spent in the later window, time that one begins (us), length of a window (us). What
-- is spent in both is in the header.

local FORMAT = HEADER .. 'I7I7I7'

local function micros(now, ticks, tick)
  if ticks == 0 then return 0 end
  return (floor(now / tick) + ticks) * tick - now
end

local function share_allows(earlier, room, window)
  if earlier == 0 then return 0 end
  local ticks = window - floor(room * window / earlier)
  return ticks > 0 and ticks or 0
end

-- Rolls a state on to the window of a time, which is not before its own.
local function roll(state, time, length)
  local begin = floor(time / length) * length
  if state.begin == begin then return end
  state.earlier = state.begin == begin - length and state.later or 0
  state.later, state.begin = 0, begin
end

rules[#rules + 1] = {
  tag = 'c',

  load = function(stored, own, spent, _, _, t, asked, permits, window, tick)
    local length, changed = window * tick, false
    local state = { earlier = 0, later = 0, begin = floor(t / length) * length }
    if stored then
      local largest = floor(LARGEST / window)
      state.later = spent < largest and spent or largest
      if own then
        local later, begin, stored_length = struct.unpack('<I7I7I7', stored, HEADER_BYTES + 1)
        if stored_length == length then
          state.earlier, state.later, state.begin = spent - later, later, begin
        else
          changed = true
        end
      end
    end
    local start = state.begin > t and state.begin or t
    roll(state, start, length)
    local earlier, later, elapsed = state.earlier, state.later, floor(start / tick) % window
    local ticks
    if later + asked <= permits then
      ticks = share_allows(earlier, permits - asked - later, window) - elapsed
      if ticks < 0 then ticks = 0 end
    else
      ticks = window - elapsed + share_allows(later, permits - asked, window)
    end
    return state, start - t + micros(start, ticks, tick), changed
  end,

  give_back = operation == 'GIVE_BACK' and function(state, _, cost, place, _, window, tick)
    local length = window * tick
    local begin = floor(place / length) * length
    if begin == state.begin then
      state.later = state.later > cost and state.later - cost or 0
    elseif begin == state.begin - length then
      state.earlier = state.earlier > cost and state.earlier - cost or 0
    end
    return state
  end,

  settle = function(key, t, skew, cost, wait, permits, window, tick, _, state, save)
    local length = window * tick
    if cost > 0 then
      local largest, place = floor(LARGEST / window), t + wait
      roll(state, place > state.begin and place or state.begin, length)
      if cost > largest then cost = largest end
      state.later = state.later + cost
      if state.later > largest then state.later = largest end
    end
    local earlier, later = state.earlier, state.later
    local start = state.begin > t and state.begin or t
    local elapsed, reset = floor(start / tick) % window, 0
    if later > 0 then
      reset = start - t + micros(start, 2 * window - elapsed, tick)
    elseif earlier > 0 then
      reset = start - t + micros(start, window - elapsed, tick)
    end
    if save then
      local value = struct.pack(FORMAT, 'c', earlier + later, 1, t, skew, t + reset, later, state.begin, length)
      redis.call('SET', key, value, 'PX', ceil(reset / 1000) + TTL_MARGIN)
    end
    if state.begin > t then return 0, reset end
    local left = floor((permits * window - earlier * (window - elapsed)) / window) - later
    return left > 0 and left or 0, reset
  end,
}
