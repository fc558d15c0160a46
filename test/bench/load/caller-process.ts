import { connectTo } from "./http-socket.ts";
/** Plays a share of a plan, read from stdin, and prints the results. */
import type { LoadPlan } from "./plan.ts";
import type { CallersReport } from "./processes.ts";

const { plan, limit } = (await new Response(Bun.stdin.stream()).json()) as { plan: LoadPlan; limit: number };
const { requests, turns = 1, pauseMs = 0, expectedStatus = 200 } = plan;
const latenciesMs: number[] = [];
/** Conversations that wait for their next message, oldest first, with their numbers of messages. */
const waiting: string[] = [];
const turnsOf = new Map<string, number>();
const startedAt = performance.now();
let sent = 0;

function nextRequest(): string {
  sent += 1;
  const { head, body } = requests[sent % requests.length]!;
  if (body === undefined) return head;
  const id = waiting.shift();
  const whole = id === undefined ? body : `${body.slice(0, -1)},"conversationId":"${id}"}`;
  return `${head}Content-Length: ${Buffer.byteLength(whole)}\r\n\r\n${whole}`;
}

function keepConversation(body: string): void {
  const id = /"conversationId":"([^"]+)"/.exec(body)?.[1];
  if (id === undefined) return;
  const had = (turnsOf.get(id) ?? 0) + 1;
  if (had < turns) waiting.push(id);
  if (had < turns) turnsOf.set(id, had);
  else turnsOf.delete(id);
}

async function call(): Promise<void> {
  const socket = await connectTo(plan.origin);
  while (performance.now() - startedAt < plan.seconds * 1000 && sent < limit) {
    if (pauseMs > 0) await Bun.sleep(2 * pauseMs * Math.random());
    const sentAt = performance.now();
    const { status, body } = await socket.send(nextRequest());
    latenciesMs.push(Math.round((performance.now() - sentAt) * 1000) / 1000);
    if (status !== expectedStatus) throw new Error(`answered ${status}`);
    if (turns > 1) keepConversation(body);
  }
  socket.close();
}

async function play(): Promise<CallersReport> {
  const failure = await Promise.all(Array.from({ length: plan.callers }, call)).then(
    () => undefined,
    (error: Error) => error.message,
  );
  const seconds = (performance.now() - startedAt) / 1000;
  return { latenciesMs, seconds, ...(failure !== undefined && { failure }) };
}

process.stdout.end(JSON.stringify(await play()), () => process.exit(0));
