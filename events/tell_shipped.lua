#!lua
-- Says of a shard what is in the journal, unless a later shipper has said something of it.
--
-- KEYS  1 meta (hash)
-- ARGV  1 the number of the shipper's turn  2 what is shipped: number and link
--
-- Answers  told | past (the turn is over)

if tonumber(redis.call('HGET', KEYS[1], 'turn') or '0') > tonumber(ARGV[1]) then return {'past'} end
redis.call('HSET', KEYS[1], 'turn', ARGV[1], 'shipped', ARGV[2])
return {'told'}
