#!lua
-- Deletes the lists of one shard, so that whoever follows begins from nothing.
--
-- KEYS  1 rows (hash)  2 names (set of index keys, all in the same slot)
--
-- Answers how many index keys there were.

local names = redis.call('SMEMBERS', KEYS[2])
for _, name in ipairs(names) do redis.call('DEL', name) end
redis.call('DEL', KEYS[1], KEYS[2])
return #names
