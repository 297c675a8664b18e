#!lua flags=no-writes
-- Where a stream stands by all that is kept of it, in one moment. Writes nothing.
--
-- KEYS  1 head (hash)  2 entries (stream)  3 commands (hash)  4 due (sorted set)  5 meta (hash)
--       6 rows of the lists (hash)
-- ARGV  1 stream id
--
-- Answers  version or "", head, status, number of entries, number of commands, deadline or "",
--          number of the feed's last pointer, the lists' checkpoint or "", row or ""

local at = redis.call('HMGET', KEYS[1], 'ver', 'head', 'st')
return {
  at[1] or '', at[2] or '', at[3] or '',
  redis.call('XLEN', KEYS[2]),
  redis.call('HLEN', KEYS[3]),
  redis.call('ZSCORE', KEYS[4], ARGV[1]) or '',
  tonumber(redis.call('HGET', KEYS[5], 'seq') or '0') or 0,
  redis.call('HGET', KEYS[6], '@') or '',
  redis.call('HGET', KEYS[6], ARGV[1]) or '',
}
