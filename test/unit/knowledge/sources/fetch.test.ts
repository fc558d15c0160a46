import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";

import { Fetcher, type FetchSettings } from "../../../../src/knowledge/sources/fetch/fetcher.ts";
import { isPublicAddress } from "../../../../src/knowledge/sources/fetch/public-address.ts";
import { parseRobots } from "../../../../src/knowledge/sources/fetch/robots.ts";
import { listPages, MAX_PAGES } from "../../../../src/knowledge/sources/fetch/sitemap.ts";
import { eventually } from "../../../support/eventually.ts";
import { growthOf } from "../../../support/growth.ts";

type Answer = string | Uint8Array | Response | ((request: Request) => Response | Promise<Response>);

let server: Bun.Server<undefined>;
let answers: Record<string, Answer>;
let asked: { path: string; host: string; agent: string }[];

beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const { headers } = request;
      asked.push({
        path: pathname + search,
        host: headers.get("host") ?? "",
        agent: headers.get("user-agent") ?? "",
      });
      const answer = answers[pathname];
      if (answer === undefined) return new Response("none", { status: 404 });
      if (typeof answer === "function") return answer(request);
      return answer instanceof Response ? answer.clone() : new Response(answer as BodyInit);
    },
  });
});
afterAll(() => server.stop(true));
beforeEach(() => {
  answers = {};
  asked = [];
});

/** Hosts below `help.test` are this test's server, which has to be allowed; others are where `names` says. */
function fetcherOf(settings: FetchSettings = {}, names: Record<string, string[]> = {}) {
  return new Fetcher({
    allowedHosts: new Set(["help.test"]),
    resolve: (name) => Promise.resolve(names[name] ?? (name === "help.test" ? ["127.0.0.1"] : [])),
    ...settings,
  });
}

const at = (path: string, host = "help.test") => `http://${host}:${server.port}${path}`;
const fetchPath = (path: string, settings: FetchSettings = {}) => fetcherOf(settings).fetch(at(path));

async function textAt(path: string, settings: FetchSettings = {}): Promise<string> {
  const result = await fetchPath(path, settings);
  return result.kind === "fetched" ? Buffer.from(result.reply.body).toString() : JSON.stringify(result);
}

describe("an address", () => {
  test("is fetched from the address that was checked, under its own name", async () => {
    answers["/a"] = "text";
    expect(await textAt("/a?b=c")).toBe("text");
    expect(asked.map(({ path }) => path)).toEqual(["/robots.txt", "/a?b=c"]);
    expect(asked.map(({ host }) => host)).toEqual(Array(2).fill(`help.test:${server.port}`));
    expect(asked[0]!.agent).toMatch(/^Parley\/\d/);
  });

  test("is unpacked, and refused where it is larger than allowed, also unpacked", async () => {
    answers["/packed"] = new Response(gzipSync("text"), { headers: { "Content-Encoding": "gzip" } });
    answers["/bomb"] = new Response(gzipSync(Buffer.alloc(50_000_000)), {
      headers: { "Content-Encoding": "gzip" },
    });
    answers["/large"] = new Uint8Array(2_000_001);
    answers["/odd"] = new Response("text", { headers: { "Content-Encoding": "zstd" } });
    const settings = { maxBytes: 2_000_000 };
    expect(await textAt("/packed", settings)).toBe("text");
    expect(await fetchPath("/bomb", settings)).toEqual({ kind: "failed", reason: "is larger than 2 MB" });
    expect(await fetchPath("/large", settings)).toEqual({ kind: "failed", reason: "is larger than 2 MB" });
    expect(await fetchPath("/odd", settings)).toEqual({
      kind: "failed",
      reason: "its content encoding `zstd` was not asked for",
    });
  });

  test("without an end is given up", async () => {
    let sent = 0;
    answers["/endless"] = () =>
      new Response(
        new ReadableStream({
          async pull(controller) {
            sent += 65_536;
            controller.enqueue(new Uint8Array(65_536));
            await Bun.sleep(0);
          },
        }),
      );
    expect(await fetchPath("/endless", { maxBytes: 1_000_000 })).toMatchObject({ kind: "failed" });
    await eventually(async () => {
      const before = sent;
      await Bun.sleep(100);
      return sent === before;
    });
  });

  test("is fetched anew only if it has changed", async () => {
    answers["/a"] = ({ headers }) =>
      headers.get("if-none-match") === '"1"'
        ? new Response(null, { status: 304 })
        : new Response("text", { headers: { ETag: '"1"' } });
    expect(await fetcherOf().fetch(at("/a"), { "If-None-Match": '"1"' })).toEqual({ kind: "unchanged" });
    expect(await fetcherOf().fetch(at("/a"), { "If-None-Match": '"0"' })).toMatchObject({ kind: "fetched" });
  });

  test("that is gone, and one that fails, are told apart", async () => {
    answers["/broken"] = new Response("", { status: 500 });
    expect(await fetchPath("/none")).toEqual({ kind: "gone", reason: "is not there (status 404)" });
    expect(await fetchPath("/broken")).toEqual({
      kind: "failed",
      reason: "the server answered with status 500",
    });
    const refused = await fetcherOf().fetch("http://help.test:1/");
    expect(refused).toMatchObject({ kind: "failed", reason: expect.stringContaining("no connection") });
    expect(await fetcherOf().fetch("http://unknown.test/")).toEqual({
      kind: "failed",
      reason: "the host `unknown.test` is not found",
    });
    expect(await fetcherOf().fetch("ftp://help.test/")).toMatchObject({ kind: "gone" });
  });

  test("is fetched no more when the run has used up its bytes or its time", async () => {
    answers["/a"] = "text";
    const fetcher = fetcherOf({ maxTotalBytes: 5 });
    expect(await fetcher.fetch(at("/a"))).toMatchObject({ kind: "fetched" });
    expect(await fetcher.fetch(at("/a"))).toMatchObject({ kind: "failed", reason: "is larger than 0 MB" });
    expect(await fetchPath("/a", { maxTotalMs: 0 })).toMatchObject({
      kind: "failed",
      reason: expect.stringContaining("this run has used up"),
    });
  });
});

describe("a redirect", () => {
  const to = (location: string) => new Response(null, { status: 302, headers: { Location: location } });

  test("is followed, and says where the page is", async () => {
    answers["/old"] = to("/new");
    answers["/new"] = "text";
    const result = await fetchPath("/old");
    expect(result).toMatchObject({ kind: "fetched" });
    if (result.kind === "fetched") expect(result.url.href).toBe(at("/new"));
  });

  test("in a circle ends", async () => {
    answers["/a"] = to("/b");
    answers["/b"] = to("/a");
    expect(await fetchPath("/a")).toEqual({ kind: "failed", reason: "redirects more than 5 times" });
  });

  test.each([
    ["http://127.0.0.1:PORT/secret", "has a private address (127.0.0.1)"],
    ["http://0x7f000001:PORT/secret", "has a private address (127.0.0.1)"],
    ["http://[::ffff:127.0.0.1]:PORT/secret", "has a private address"],
    ["http://169.254.169.254/latest/meta-data/", "has a private address (169.254.169.254)"],
    ["http://inside.test:PORT/secret", "has a private address (127.0.0.1)"],
    ["http://localhost:PORT/secret", "has a private address (127.0.0.1)"],
    ["file:///etc/passwd", "an address begins with"],
    ["http://user:secret@help.test:PORT/secret", "must not carry a name or a password"],
  ])("to %s is not followed", async (location, reason) => {
    answers["/secret"] = "secret";
    answers["/a"] = to(location.replace("PORT", String(server.port)));
    const names = { "inside.test": ["127.0.0.1"], localhost: ["127.0.0.1"] };
    const result = await fetcherOf({}, names).fetch(at("/a"));
    expect(result).toMatchObject({ kind: "failed", reason: expect.stringContaining(reason) });
    expect(asked.map(({ path }) => path)).not.toContain("/secret");
  });

  test("goes by the robots.txt of the host that it leads to", async () => {
    answers["/a"] = to(at("/private/b", "other.test"));
    answers["/private/b"] = "text";
    answers["/robots.txt"] = ({ headers }) =>
      new Response(headers.get("host")?.startsWith("other") ? "User-agent: *\nDisallow: /private/" : "");
    const fetcher = fetcherOf(
      { allowedHosts: new Set(["help.test", "other.test"]) },
      { "other.test": ["127.0.0.1"] },
    );
    expect(await fetcher.fetch(at("/a"))).toEqual({
      kind: "gone",
      reason: `the robots.txt of http://other.test:${server.port} does not allow it`,
    });
  });
});

describe("a private address", () => {
  test("is reached by no name, unless the configuration names the host", async () => {
    answers["/a"] = "text";
    const names = { "inside.test": ["127.0.0.1"] };
    expect(await fetcherOf({}, names).fetch(at("/a", "inside.test"))).toEqual({
      kind: "failed",
      reason:
        "the host `inside.test` has a private address (127.0.0.1); the server's configuration has to allow it",
    });
    expect(asked).toEqual([]);
    const withPort = fetcherOf({ allowedHosts: new Set([`inside.test:${server.port}`]) }, names);
    expect(await withPort.fetch(at("/a", "inside.test"))).toMatchObject({ kind: "fetched" });
  });

  test("is asked for at each request: a name that changes in between is found out", async () => {
    answers["/a"] = "secret";
    const turns = [["127.0.0.1"], ["127.0.0.1", "10.0.0.1"], []];
    const settings = {
      allowedHosts: new Set(["help.test"]),
      resolve: () => Promise.resolve(turns.shift() ?? []),
    };
    const fetcher = new Fetcher(settings);
    // Once for its robots.txt, once for itself.
    expect(await fetcher.fetch(at("/a"))).toMatchObject({ kind: "fetched" });
    expect(await fetcher.fetch(at("/a"))).toMatchObject({
      kind: "failed",
      reason: "the host `help.test` is not found",
    });
  });

  test.each([
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fc00::1",
    "fd00:ec2::254",
    "::ffff:10.0.0.1",
    "64:ff9b::a00:1",
    "2002:a00:1::",
    "ff02::1",
    "168.63.129.16",
    "::ffff:168.63.129.16",
    "161.26.0.10",
    "166.9.12.1",
    "192.0.0.192",
    "100.100.100.200",
  ])("such as %s is known", (address) => expect(isPublicAddress(address)).toBe(false));

  test.each(["93.184.215.14", "8.8.8.8", "168.63.129.17", "166.12.0.1", "2606:2800:21f:cb07::1"])(
    "is not %s",
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
});

describe("a slow server", () => {
  let slow: Server;
  let sockets: Socket[];
  beforeEach(() => void (sockets = []));
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    slow.close();
  });

  test.each([
    ["says nothing", ""],
    ["begins a body and stops", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\ntext"],
    ["begins headers and stops", "HTTP/1.1 200 OK\r\nX-"],
  ])("that %s is given up in time", async (_name, start) => {
    slow = createServer((socket) => {
      sockets.push(socket);
      socket.on("error", () => socket.destroy());
      socket.write(start);
    });
    await new Promise<void>((resolve) => slow.listen(0, "127.0.0.1", resolve));
    const { port } = slow.address() as { port: number };
    const result = await fetcherOf({ timeoutMs: 200 }).fetch(`http://help.test:${port}/`);
    expect(result).toEqual({ kind: "failed", reason: "no answer within 0.2 s" });
  });
});

describe("a body that its server ends by closing the connection", () => {
  const START = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n";

  async function servedBy(serve: (socket: Socket) => void, settings: FetchSettings): Promise<string> {
    const sockets: Socket[] = [];
    const closing = createServer((socket) => {
      sockets.push(socket);
      socket.on("error", () => socket.destroy());
      socket.once("data", () => serve(socket));
    });
    await new Promise<void>((resolve) => closing.listen(0, "127.0.0.1", resolve));
    const { port } = closing.address() as { port: number };
    const result = await fetcherOf(settings).fetch(`http://help.test:${port}/`);
    for (const socket of sockets) socket.destroy();
    closing.close();
    return result.kind === "fetched" ? Buffer.from(result.reply.body).toString() : JSON.stringify(result);
  }

  test("is whole where it is closed", async () => {
    expect(await servedBy((socket) => socket.end(`${START}all of it`), {})).toBe("all of it");
  });

  test("is not taken for whole where it still runs when the time is up", async () => {
    let dribble: ReturnType<typeof setInterval> | undefined;
    let requests = 0;
    const running = (socket: Socket) => {
      requests += 1;
      // Its robots.txt comes first.
      if (requests === 1) {
        socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        return;
      }
      socket.write(`${START}a part`);
      dribble = setInterval(() => socket.write(" and another"), 20);
    };
    expect(await servedBy(running, { timeoutMs: 300 })).toBe(
      JSON.stringify({ kind: "failed", reason: "no answer within 0.3 s" }),
    );
    clearInterval(dribble);
  });

  test("is not taken for whole where it is shorter than its server said", async () => {
    const short = (socket: Socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\na part");
    expect(await servedBy(short, {})).toContain('"kind":"failed"');
  });
});

describe("robots.txt", () => {
  test("is asked for once, and what it denies is not", async () => {
    answers["/robots.txt"] = "User-agent: *\nDisallow: /private/";
    answers["/a"] = "text";
    const fetcher = fetcherOf();
    expect(await fetcher.fetch(at("/private/a"))).toEqual({
      kind: "gone",
      reason: `the robots.txt of http://help.test:${server.port} does not allow it`,
    });
    expect(await fetcher.fetch(at("/a"))).toMatchObject({ kind: "fetched" });
    expect(asked.map(({ path }) => path)).toEqual(["/robots.txt", "/a"]);
  });

  test("that cannot be read allows nothing, and what is known stays", async () => {
    answers["/robots.txt"] = new Response("", { status: 503 });
    answers["/a"] = "text";
    expect(await fetchPath("/a")).toMatchObject({
      kind: "failed",
      reason: expect.stringContaining("cannot be read (status 503)"),
    });
  });

  test.each([
    ["", "/a", true],
    ["User-agent: *\nDisallow: /", "/a", false],
    ["User-agent: *\nDisallow:", "/a", true],
    ["User-agent: other\nDisallow: /", "/a", true],
    ["User-agent: *\nDisallow: /\n\nUser-agent: parley\nDisallow: /b", "/a", true],
    ["user-agent: other\nUser-Agent: PARLEY/2\nDISALLOW : /a # no", "/a", false],
    ["User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", true],
    ["User-agent: *\nDisallow: /a\nAllow: /a", "/a", true],
    ["User-agent: *\nDisallow: /*.pdf$", "/a/b.pdf", false],
    ["User-agent: *\nDisallow: /*.pdf$", "/a/b.pdf?c", true],
    ["User-agent: *\nDisallow: /a*b*c", "/a-c-b", true],
    ["User-agent: *\nDisallow: /a*b*c", "/a-b-c-d", false],
    ["User-agent: *\nDisallow: /a$", "/ab", true],
    ["User-agent: *\nDisallow: /größe", "/gr%C3%B6%C3%9Fe", false],
    ["User-agent: *\nDisallow: /x", "/%78", false],
    ["User-agent: *\nDisallow: /%78", "/x", false],
    ["User-agent: *\nDisallow: /a%2fb", "/a%2Fb", false],
    ["User-agent: *\nDisallow: /a b{c}", "/a%20b%7bc}", false],
    ["User-agent: *\nDisallow: /größe", "/gr%c3%b6%C3%9Fe", false],
    ["User-agent: *\nDisallow: /a/b", "/a%2Fb", true],
    ["User-agent: *\nDisallow: /ſ", "/%C5%BF", false],
    ["User-agent: *\nDisallow: /a%2A", "/abc", true],
    ["User-agent: *\nDisallow: /%zz", "/%zz/a", false],
    ["Disallow: /", "/a", true],
    ["\uFEFF<html>not found</html>", "/a", true],
  ])("%j: %s is %p", (text, path, isAllowed) => {
    expect(parseRobots(text, "Parley").allows(path)).toBe(isAllowed);
  });

  test("with a hostile rule costs time that grows with its length, and no faster", async () => {
    const judge = (length: number) => {
      const rules = parseRobots(`User-agent: *\nDisallow: /${"a*".repeat(length / 4)}b$`, "Parley");
      expect(rules.allows(`/${"a".repeat(length)}`)).toBe(true);
    };
    expect(await growthOf(judge, 20_000)).toBeLessThan(10);
  });
});

describe("a sitemap", () => {
  const sitemap = (...pages: string[]) =>
    `<?xml version="1.0"?><urlset>${pages.map((page) => `<url><loc>\n ${page.replaceAll("&", "&amp;")} </loc></url>`).join("")}</urlset>`;
  const list = (path: string, only: string[] = []) => listPages({ url: at(path), only }, fetcherOf());

  test("names its pages, packed or not, each once", async () => {
    answers["/sitemap.xml"] = sitemap(at("/a?b=1&c=2"), at("/b"), at("/b"));
    answers["/sitemap.xml.gz"] = gzipSync(sitemap(at("/c")));
    answers["/sitemap.txt"] = `${at("/d")}\n${at("/e")}\n`;
    expect(await list("/sitemap.xml")).toEqual({
      ok: true,
      listed: { pages: [at("/a?b=1&c=2"), at("/b")], skipped: [] },
    });
    expect(await list("/sitemap.xml.gz")).toMatchObject({ listed: { pages: [at("/c")] } });
    expect(await list("/sitemap.txt")).toMatchObject({ listed: { pages: [at("/d"), at("/e")] } });
  });

  test("may be an index of others", async () => {
    answers["/index.xml"] =
      `<sitemapindex><sitemap><loc>${at("/1.xml")}</loc></sitemap><sitemap><loc>${at("/2.xml")}</loc></sitemap></sitemapindex>`;
    answers["/1.xml"] = sitemap(at("/a"));
    answers["/2.xml"] = sitemap(at("/b"));
    expect(await list("/index.xml")).toMatchObject({ listed: { pages: [at("/a"), at("/b")] } });
    delete answers["/2.xml"];
    expect(await list("/index.xml")).toEqual({
      ok: false,
      reason: `its sitemap ${at("/2.xml")}: is not there (status 404)`,
    });
    // Its pages would be missing from the list, and be deleted.
    answers["/2.xml"] = `<sitemapindex><sitemap><loc>${at("/1.xml")}</loc></sitemap></sitemapindex>`;
    expect(await list("/index.xml")).toEqual({
      ok: false,
      reason: `its sitemap ${at("/2.xml")} lists further sitemaps; name that one as a source`,
    });
  });

  test("leaves out pages of other sites, other paths, and too many", async () => {
    answers["/sitemap.xml"] = sitemap(
      at("/help/a"),
      at("/shop/b"),
      at("/help/c", "www.help.test"),
      at("/help/d", "evil.test"),
    );
    expect(await list("/sitemap.xml", ["/help/"])).toEqual({
      ok: true,
      listed: {
        pages: [at("/help/a"), at("/help/c", "www.help.test")],
        skipped: [
          {
            place: at("/help/d", "evil.test"),
            reason: `is not on help.test:${server.port}, as the sitemap is`,
          },
        ],
      },
    });
    answers["/sitemap.xml"] = sitemap(
      ...Array.from({ length: MAX_PAGES + 2 }, (_, index) => at(`/${index}`)),
    );
    const listed = await list("/sitemap.xml");
    expect(listed.ok && [listed.listed.pages.length, listed.listed.skipped.length]).toEqual([MAX_PAGES, 2]);
  });

  test.each([
    ["is not there", undefined, "is not there (status 404)"],
    ["is empty", "<urlset></urlset>", "names no address"],
    ["is an error page", "<html><p>Sorry</p></html>", "names no address"],
  ])("that %s cannot be read", async (_name, text, reason) => {
    if (text !== undefined) answers["/sitemap.xml"] = text;
    expect(await list("/sitemap.xml")).toEqual({ ok: false, reason });
  });
});
