/** The least a server can do: answers every request with the bytes it was given, after reading the body. */
const [body = ""] = process.argv.slice(2);

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    await request.arrayBuffer();
    return new Response(body, { headers: { "Content-Type": "application/json" } });
  },
});
console.log(server.url.origin);
