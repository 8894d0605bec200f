-- One call of few limits. Each stands within the one before it, and what they say is told in turn.

local times, before = 1, 0
local --TOLD--
--LIMIT--
return struct.pack('<dd--FORMAT--', now, 1, --TOLD--)
