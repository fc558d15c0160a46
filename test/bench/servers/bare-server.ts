/** A minimal server: answers every request with the given bytes, after reading the body. */
const [body = ""] = process.argv.slice(2);
const HEADERS = { "Content-Type": "application/json" };

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    if (request.method === "POST") await request.arrayBuffer();
    return new Response(body, { headers: HEADERS });
  },
});
console.error(server.url.origin);
