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

--READ--
letter, shortest, stored = LETTERS[1], STATE_BYTES, redis.pcall('GET', key)

--LOAD--
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

--REFUND--
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

--WRITE--
spent = spent + cost * q
if spent > p and spent > largest then spent = largest end
reset = spent > 0 and ceil(spent / r) * s - t % s or 0
if save then
  local state = struct.pack(STATE, LETTERS[1], spent, q, t, ahead, t + reset, first)
  if marks then state = state .. struct.pack(MARKS, unpack(marks, 1, EPOCHS + 3)) end
  redis.call('SET', key, state, 'PX', ceil(reset / 1000) + TTL_MARGIN)
end
left = spent < p and floor((p - spent) / q) or 0
