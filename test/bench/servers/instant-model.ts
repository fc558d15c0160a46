/** A minimal model server: answers every completion at once, whole or as a stream. */
const USAGE = { prompt_tokens: 40, completion_tokens: 8 };
const WORDS = ["It ", "left ", "the ", "house ", "this ", "morning, ", "by ", "post."];
const JSON_TYPE = { "Content-Type": "application/json" };

const whole = JSON.stringify({
  choices: [{ index: 0, message: { role: "assistant", content: WORDS.join("") }, finish_reason: "stop" }],
  usage: USAGE,
});
const events = [
  ...WORDS.map((content) => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })),
  { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
  { choices: [], usage: USAGE },
].map((event) => `data: ${JSON.stringify(event)}\n\n`);
const stream = `${events.join("")}data: [DONE]\n\n`;

const instant = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    if (request.method !== "POST") return new Response(null, { status: 404 });
    const { stream: isStreamed } = (await request.json()) as { stream?: boolean };
    return isStreamed
      ? new Response(stream, { headers: { "Content-Type": "text/event-stream" } })
      : new Response(whole, { headers: JSON_TYPE });
  },
});
console.error(instant.url.origin);
