#!lua flags=no-writes
-- The openings of an account's names, and the status of the account at the same moment.
--
-- KEYS  1 head of the account (hash)  2 its names (hash: seal -> opening)
--
-- Answers the status, or "", and the fields and values of the names in turn

return {redis.call('HGET', KEYS[1], 'st') or '', redis.call('HGETALL', KEYS[2])}
