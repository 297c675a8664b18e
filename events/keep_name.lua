#!lua
-- Keeps the opening of one more name of an account, unless the account has been deleted. It is
-- kept before the event that holds its seal, so that no event is without its opening.
--
-- KEYS  1 head of the account (hash)  2 its names (hash: seal -> opening)
-- ARGV  1 the status of a deleted account  2 seal  3 opening  4 how many may be kept
--
-- Answers kept | deleted | full

if redis.call('HGET', KEYS[1], 'st') == ARGV[1] then return 'deleted' end
local known = redis.call('HEXISTS', KEYS[2], ARGV[2])
if known == 0 and redis.call('HLEN', KEYS[2]) >= tonumber(ARGV[4]) then return 'full' end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
return 'kept'
