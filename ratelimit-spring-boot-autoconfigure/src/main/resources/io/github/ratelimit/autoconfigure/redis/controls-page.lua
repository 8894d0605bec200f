-- A part of all controls. ARGV: where it begins, '0' for the first.
-- Returns where the next part begins, '0' after the last, and pairs of an identifier and a control,
-- among them the state of the store.
return redis.call('HSCAN', KEYS[1], ARGV[1], 'COUNT', 500)
