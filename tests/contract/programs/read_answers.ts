// Reads answers by the generated types, and tells how many events it knew: a program of a client.
// What TypeScript must take (`later`) and must refuse (`@ts-expect-error`) is checked when it is compiled.

import type {
  AnyEvent,
  DecisionList,
  EventPage,
  GameView,
  KnownEvent,
  NewGame,
  UnknownEvent,
} from "./client/types.gen";
import type { components } from "./schema";

declare const process: { argv: string[]; stdout: { write(text: string): void } };
declare function require(path: string): unknown;

type Schemas = components["schemas"];
type Answer = { schema: string; answer: unknown };

const comet = { type: "comet-seen", tail: [1, { ice: true }] };
const later: {
  event: AnyEvent;
  sameEvent: Schemas["AnyEvent"];
  status: DecisionList["status"];
  sameStatus: Schemas["DecisionList"]["status"];
} = { event: comet, sameEvent: comet, status: "comet-like", sameStatus: "comet-like" };

// @ts-expect-error: a request takes no field that the document does not know
const wish: NewGame = { rulebook: "bga", mode: "solo", seats: 1, comet: true };
// @ts-expect-error: nor a value
const other: Schemas["NewGame"]["visibility"] = "comet-like";
// @ts-expect-error: a known event has the fields of its type
const left: KnownEvent = { type: "seat-left", seat: "one" };

const KNOWN: ReadonlySet<string> = new Set<KnownEvent["type"]>(["seat-taken", "table-closed"]);

function isKnown(event: AnyEvent): event is KnownEvent {
  return KNOWN.has(event.type);
}

function told(event: AnyEvent): string {
  if (!isKnown(event)) {
    const unknown: UnknownEvent | KnownEvent = event;
    return `something else: ${unknown.type}`;
  }
  switch (event.type) {
    case "seat-taken":
      return `${event.player} sits at ${event.seat}`;
    case "table-closed":
      return `the end: ${event.winners.length} have won`;
    default:
      return event.type;
  }
}

function read(view: GameView): number {
  const seats = Object.values(view.state.seats ?? {});
  const same: Schemas["GameView"] = view;
  return seats.length + same.version;
}

const counts = { versions: 0, seats: 0, ends: 0, others: [] as string[] };
for (const { schema, answer } of require(process.argv[2] ?? "") as Answer[]) {
  if (schema === "GameView") counts.versions += read(answer as GameView);
  if (schema !== "EventPage") continue;
  for (const { event } of (answer as EventPage).events) {
    const text = told(event);
    if (text.includes(" sits at ")) counts.seats += 1;
    else if (text.startsWith("the end: ")) counts.ends += 1;
    else if (text === told(later.event)) counts.others.push(event.type);
  }
}
void [wish, other, left];
process.stdout.write(JSON.stringify(counts));
