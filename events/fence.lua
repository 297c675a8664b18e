#!lua
-- Writes something after all that a shard holds, so that whoever waits until a replica has that, waits
-- for all of it.
--
-- KEYS  1 meta (hash)  2 probe (string)
-- ARGV  1 how long the probe stays, ms
--
-- Answers  the number of the feed's last entry

local seq = tonumber(redis.call('HGET', KEYS[1], 'seq') or '0')
redis.call('SET', KEYS[2], '1', 'PX', ARGV[1])
return seq
