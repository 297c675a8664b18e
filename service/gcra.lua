#!lua
-- A leaky bucket as one number (GCRA): the time at which the bucket will be empty again. Gives as
-- many of the wished tokens as there are.
--
-- KEYS  1 the bucket
-- ARGV  1 tokens wished for  2 microseconds for one token  3 how many tokens the bucket holds
--
-- Answers  the number of tokens given, and, where it is 0, microseconds until there is one

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local pace, size = tonumber(ARGV[2]), tonumber(ARGV[3])
local empty = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
local room = math.floor((now + pace * size - empty) / pace)
local given = math.min(tonumber(ARGV[1]), room)
if given < 1 then return {0, empty + pace - now - pace * size} end
empty = empty + given * pace
redis.call('SET', KEYS[1], string.format('%d', empty), 'PX', math.ceil((empty - now) / 1000) + 1)
return {given, 0}
