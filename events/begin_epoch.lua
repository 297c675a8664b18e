#!lua
-- Names a store, or begins another epoch of it, or does nothing.
--
-- KEYS  1 identity (hash)  2 epochs (stream)  3 meta of shard 0 (hash)  4 feed of shard 0 (stream)
-- ARGV  1 the epoch that it must be in, or "" if it must have no name  2 not "": it may hold
--       something although it has no name  3 store id  4 epoch  5 shards: how many, and
--       how their tags are chosen  6 time, ms  7 who begins the epoch  8 why
--       9... checks of master secrets: field, value
--
-- Answers  begun | known (it is in another epoch, or has a name) | foreign (it holds something)

if (redis.call('HGET', KEYS[1], 'epoch') or '') ~= ARGV[1] then return {'known'} end
if ARGV[1] == '' and ARGV[2] == '' and redis.call('EXISTS', KEYS[4]) == 1 then return {'foreign'} end

-- The first write is the only one that may be refused: an epoch of this number has been begun.
local begun = redis.pcall('XADD', KEYS[2], ARGV[4] .. '-0', 'at', ARGV[6], 'by', ARGV[7], 'reason', ARGV[8])
if type(begun) == 'table' and begun.err then return {'known'} end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'store', ARGV[3], 'epoch', ARGV[4], 'shards', ARGV[5])
for i = 9, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
redis.call('HSET', KEYS[3], 'store', ARGV[3] .. ':' .. ARGV[4])
return {'begun'}
