#!lua
-- Deletes a projection, or its part in one shard, so that whoever follows begins from nothing.
--
-- KEYS  1 names (set of index keys)  2... its other keys, all in the same slot
--
-- Answers how many index keys there were.

local names = redis.call('SMEMBERS', KEYS[1])
for _, name in ipairs(names) do redis.call('DEL', name) end
for _, key in ipairs(KEYS) do redis.call('DEL', key) end
return #names
