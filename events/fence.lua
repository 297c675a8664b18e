#!lua
-- Writes something after all that a shard holds, so that whoever waits until a replica has that, waits
-- for all of it.
--
-- KEYS  1 meta (hash)  2 probe (string)
-- ARGV  1 how long the probe stays, ms
--
-- Answers  fenced seq link: the feed's last entry (0 and "" if there is none)

local last = redis.call('HMGET', KEYS[1], 'seq', 'chain')
redis.call('SET', KEYS[2], '1', 'PX', ARGV[1])
return {'fenced', tonumber(last[1] or '0'), last[2] or ''}
