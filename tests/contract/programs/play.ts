// Plays a game by the client of hey-api: a program of a client. Its argument is the address of a
// service; it tells the game's id.

import { client } from "./client/client.gen";
import { choose, openGame, readDecisions, readEvents, registerPlayer, takeSeat } from "./client/sdk.gen";
import type { KnownEvent } from "./client/types.gen";

declare const process: { argv: string[]; exitCode: number; stdout: { write(text: string): void } };

const key = () => ({ "Idempotency-Key": crypto.randomUUID() });

async function play(game: string): Promise<void> {
  for (;;) {
    const { data } = await readDecisions({ path: { game }, throwOnError: true });
    if (data.status === "finished") return;
    const decision = data.decisions.find((each) => each.default);
    if (!decision?.default) throw new Error("nothing to choose");
    await choose({
      path: { game, decision: decision.id },
      body: { option: decision.default },
      headers: key(),
      throwOnError: true,
    });
  }
}

async function main(baseUrl: string): Promise<void> {
  client.setConfig({ baseUrl });
  const made = await registerPlayer({ body: { name: "Bob" }, headers: key(), throwOnError: true });
  client.setConfig({ auth: made.data.token.token });
  const table = { rulebook: "first_edition", mode: "solo", seats: 1 };
  const { data } = await openGame({ body: table, headers: key(), throwOnError: true });
  await takeSeat({ path: { game: data.game }, body: {}, headers: key(), throwOnError: true });
  await play(data.game);
  const events = await readEvents({ path: { game: data.game }, query: { limit: 1000 }, throwOnError: true });
  const last: KnownEvent["type"] = "key-published";
  if (events.data?.events.at(-1)?.event.type !== last) throw new Error("no key was published");
  process.stdout.write(data.game);
}

main(process.argv[2] ?? "").catch((error: unknown) => {
  process.stdout.write(String(error) + JSON.stringify(error));
  process.exitCode = 1;
});
