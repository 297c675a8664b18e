// HTTP/2 in front of the service, as a proxy gives it to browsers; run by the Node that playwright brings along.
//
//   node front.mjs PORT KEY CERTIFICATE [SPOILT]
//
// listens on a free port of this machine, which it prints, and passes everything on to PORT. What is under a path that
// ends with SPOILT it forbids to keep: a mistake that a test plants.

import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { constants, createSecureServer } from "node:http2";

const [port, key, certificate, spoilt = null] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 200 });
const HOPS = new Set(["connection", "keep-alive", "transfer-encoding", "upgrade"]);

const server = createSecureServer({ key: readFileSync(key), cert: readFileSync(certificate) });
server.on("stream", (stream, given) => {
  const fields = Object.entries(given).filter(([name]) => !name.startsWith(":"));
  const host = given[":authority"];
  const asked = request(
    { port, agent, method: given[":method"], path: given[":path"], headers: { ...Object.fromEntries(fields), host } },
    (answer) => {
      if (stream.destroyed) {
        answer.destroy();
        return;
      }
      const kept = Object.entries(answer.headers).filter(([name]) => !HOPS.has(name));
      if (spoilt !== null && given[":path"].endsWith(spoilt)) {
        kept.push(["cache-control", "no-store"]);
      }
      stream.respond({ ":status": answer.statusCode, ...Object.fromEntries(kept) });
      answer.pipe(stream);
    },
  );
  asked.on("error", () => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
  stream.on("error", () => asked.destroy());
  stream.on("close", () => asked.destroy());
  stream.pipe(asked);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
process.stdin.on("end", () => process.exit()).resume();
