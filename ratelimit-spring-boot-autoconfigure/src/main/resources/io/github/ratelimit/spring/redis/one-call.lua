-- One call of few limits. Each stands within the one before it, and what they say is told in turn.

local times = 1
local --TOLD--
--LIMIT--
return struct.pack('--FORMAT--', now, 1, --TOLD--)
