-- Several calls, or more limits than few.

local times, said

local function decide(i)
--LIMIT--
end

-- Answers what all limits say to so many calls at once.
local function decide_all(together, whether)
  times, charge, said = together, whether, ''
  if #KEYS > 0 then decide(1) end
  return said
end

if calls == 1 then return struct.pack('<dd', now, 1) .. decide_all(1, charge) end

-- None of them waits, so at one instant those that come first fit, and the others do not.
local admitted = calls < most and calls or most
local answer = decide_all(admitted, true)
if not charge then
  for i = 1, #KEYS do
    local _, cost, reserve = struct.unpack('<ddd', numbers, 64 * i - 39)
    local fitting = floor((struct.unpack('<d', answer, 24 * i - 23) - reserve) / cost)
    if fitting < admitted then admitted = fitting > 0 and fitting or 0 end
  end
  answer = admitted > 0 and decide_all(admitted, true) or ''
end
if admitted < calls then answer = answer .. decide_all(1, false) end
return struct.pack('<dd', now, admitted) .. answer
