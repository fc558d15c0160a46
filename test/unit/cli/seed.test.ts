import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { uploadDocument } from "../../../src/operate/uploaded-documents.ts";
import { SqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import { botWith } from "../../support/bots.ts";
import { CliFixture } from "../../support/cli.ts";
import { readTables } from "../../support/databases.ts";

let cli: CliFixture;
beforeEach(() => void (cli = new CliFixture()));
afterEach(() => cli[Symbol.dispose]());

function write(name: string, text: string): string {
  const path = join(cli.folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function writeBot(id: string, name = id): string {
  return write(`bots/${id}.yaml`, `id: ${id}\nname: ${name}\nallowedDomains: [example.com]\n`);
}

describe("seed", () => {
  test("says per bot what came of it", async () => {
    writeBot("a");
    writeBot("b");
    const bots = join(cli.folder, "bots");
    expect((await cli.run(["seed", bots])).stdout).toBe("created    a\ncreated    b\n");
    writeBot("b", "Another name");
    writeBot("c");
    expect((await cli.run(["seed", bots])).stdout).toBe("unchanged  a\nupdated    b\ncreated    c\n");
  });

  test("reads stdin", async () => {
    const stdin = "id: piped\nname: Piped\nallowedDomains: []\n";
    expect((await cli.run(["seed", "-"], { stdin })).stdout).toBe("created    piped\n");
  });

  test("reports every mistake with its place, ends with 1 and changes nothing", async () => {
    const good = writeBot("good");
    const bad = write("bad.yaml", "id: Bad Id\nname: Bad\nallowedDomains: [https://x/y]\ncolor: red\n");
    const { stdout, stderr, exitCode } = await cli.run(["seed", good, bad]);
    expect(stderr).toContain(`${bad}:1:5: `);
    expect(stderr).toContain(`${bad}:4:1: `);
    expect(stderr).toEndWith("error: 3 mistakes; nothing was changed\n");
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
    expect((await cli.run(["bot", "list"])).exitCode).toBe(2);
  });

  test("warns of a webhook that the configuration does not have, where it knows that, and goes on", async () => {
    const bot = write("told.yaml", "id: told\nname: Told\nallowedDomains: []\nhandoff:\n  webhook: crmm\n");
    const env = { PARLEY_WEBHOOKS: '{"crm": {"url": "https://crm.example", "secretEnv": "CRM"}}' };
    const told = await cli.run(["seed", bot], { env });
    expect(told.stderr).toContain(
      `${bot}:5:12: warning: the configuration has no webhook \`crmm\`, so that it notifies nobody of hand-offs; did you mean \`crm\`?\n`,
    );
    expect(told).toMatchObject({ stdout: "created    told\n", exitCode: 0 });
    expect((await cli.run(["seed", bot])).stderr).not.toContain("webhook");
  });

  test("warns of a model server that the configuration does not have, at each place that names it, and goes on", async () => {
    const bot = write(
      "asks.yaml",
      `id: asks\nname: Asks\nallowedDomains: []
responder: {kind: model, models: [local, hause]}
classifier: {judge: {model: locla}}
intents:
  - {name: a, responder: {kind: scripted, else: {kind: model, models: [far]}}}
`,
    );
    const env = { PARLEY_MODELS: '{"local": {"baseUrl": "http://localhost:1/v1", "model": "m"}}' };
    const told = await cli.run(["seed", bot, "--dry-run"], { env });
    expect(told.stderr.split("\n").filter((line) => line.includes("model server"))).toEqual([
      `${bot}:4:42: warning: the configuration has no model server \`hause\`, which is never asked`,
      `${bot}:5:29: warning: the configuration has no model server \`locla\`, which is never asked; did you mean \`local\`?`,
      `${bot}:7:72: warning: the configuration has no model server \`far\`, which is never asked`,
    ]);
    expect(told.exitCode).toBe(0);
    expect((await cli.run(["seed", bot, "--dry-run"])).stderr).not.toContain("model server");
  });

  test("takes a template's script from elsewhere only where the settings name its origin, or it is stored already", async () => {
    const from = (url: string) =>
      write(
        "t.yaml",
        `id: t\nname: T\nallowedDomains: [t.example]\ntemplate: {id: x, bundleUrl: "${url}"}\n`,
      );
    const refused = await cli.run(["seed", from("https://assets.example/x.js"), "--json"]);
    expect(refused.stderr).toContain("t.yaml:1:1: `t`: `bundleUrl` must be relative");
    expect(refused.stderr).toContain("--template-origins");
    expect(refused).toMatchObject({ exitCode: 1 });
    expect(JSON.parse(refused.stdout)).toMatchObject({ bots: [], problems: [{ severity: "error" }] });
    expect((await cli.run(["bot", "show", "t"])).exitCode).toBe(1);
    for (const args of [
      ["--template-origins", "https://assets.example"],
      // Stored already.
      [],
    ]) {
      expect(await cli.run(["seed", from("https://assets.example/x.js"), ...args])).toMatchObject({
        exitCode: 0,
      });
    }
    expect((await cli.run(["seed", from("https://assets.example/other.js")])).exitCode).toBe(1);
    const env = { PARLEY_TEMPLATE_ORIGINS: "https://other.example, https://assets.example" };
    expect((await cli.run(["seed", from("https://assets.example/other.js")], { env })).exitCode).toBe(0);
    const cdn = ["--cdn-url", "https://cdn.example/parley"];
    expect((await cli.run(["seed", from("https://cdn.example/mine.js"), ...cdn])).exitCode).toBe(0);
    expect((await cli.run(["seed", from("templates/kiosk.js")])).exitCode).toBe(0);
    const wrong = await cli.run(["seed", from("x.js"), "--template-origins", "https://a.example/path"]);
    expect(wrong.stderr).toContain("--template-origins should be origins, as in https://assets.example");
    expect(wrong.exitCode).toBe(2);
  });

  test("judges with the rules of other parts, as of allowed domains", async () => {
    const bad = write("bad.yaml", "id: bad\nname: Bad\nallowedDomains:\n  - https://x.example/y\n");
    const { stderr, exitCode } = await cli.run(["seed", bad]);
    expect(stderr).toContain(`${bad}:4:5: `);
    expect(exitCode).toBe(1);
  });

  test("prints problems as JSON on stdout, too", async () => {
    const bad = write("bad.yaml", "id: bad\nname: Bad\n");
    const { stdout, exitCode } = await cli.run(["seed", bad, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ bots: [], problems: [{ source: bad, severity: "error" }] });
    expect(exitCode).toBe(1);
  });

  test("warnings go to stderr, and hinder nothing", async () => {
    const file = write("bot.yaml", 'id: wide\nname: Wide\nallowedDomains: ["*.com"]\n');
    const { stdout, stderr, exitCode } = await cli.run(["seed", file]);
    expect(stderr).toContain("warning: ");
    expect({ stdout, exitCode }).toEqual({ stdout: "created    wide\n", exitCode: 0 });
  });

  test("a file that is not there is a mistake", async () => {
    const { stderr, exitCode } = await cli.run(["seed", join(cli.folder, "none.yaml")]);
    expect(stderr).toContain("none.yaml");
    expect(exitCode).toBe(1);
  });

  test("--dry-run changes nothing", async () => {
    await cli.seed("other");
    writeBot("a");
    const { stdout, stderr } = await cli.run(["seed", join(cli.folder, "bots"), "--dry-run"]);
    expect(stdout).toBe("created    a\n");
    expect(stderr).toContain("nothing was changed");
    const { bots } = JSON.parse((await cli.run(["bot", "list", "--json"])).stdout);
    expect(bots).toMatchObject([{ id: "other" }]);
  });

  test("--dry-run makes no data folder where there is none", async () => {
    const { stdout, exitCode } = await cli.run(["seed", writeBot("a"), "--dry-run"]);
    expect({ stdout, exitCode }).toEqual({ stdout: "created    a\n", exitCode: 0 });
    expect(existsSync(cli.data)).toBe(false);
  });

  test("--dry-run issues no token", async () => {
    await cli.seed("other");
    const { stdout } = await cli.run(["seed", writeBot("a"), "--dry-run", "--issue-tokens"]);
    expect(stdout).not.toContain("parley_et_");
    expect(JSON.parse((await cli.run(["token", "list", "--json"])).stdout)).toEqual({ tokens: [] });
  });
});

describe("seed --prune", () => {
  /** Seeds a bot that anybody may talk to. */
  const seedOpen = (id: string) =>
    cli.run(["seed", "-"], { stdin: JSON.stringify({ id, name: id, allowedDomains: ["*"] }) });
  const listIds = async () => {
    const { stdout } = await cli.run(["bot", "list", "--json"]);
    return (JSON.parse(stdout) as { bots: { id: string }[] }).bots.map(({ id }) => id);
  };

  test("with --yes deletes the bots that are not among the files, and says what went with them", async () => {
    await cli.seed("older", "kept");
    await seedOpen("old");
    await cli.converse("old", ["hello", "is anybody there"]);
    const { stdout, stderr } = await cli.run(["seed", writeBot("kept"), "--prune", "--yes"]);
    expect(stdout).toBe("updated    kept\ndeleted    old\ndeleted    older\n");
    expect(stderr.split("\n")).toEqual([
      "--prune deletes 2 bots that are not in the files:",
      "  BOT    CONVERSATIONS  MESSAGES",
      "  old    1              2",
      "  older  0              0",
      "",
    ]);
  });

  test("is refused where nobody can be asked, and changes nothing", async () => {
    await cli.seed("old");
    const { stdout, stderr, exitCode } = await cli.run(["seed", writeBot("new"), "--prune"]);
    expect(stderr).toContain("--prune deletes 1 bot that is not in the files:\n");
    expect(stderr).toEndWith(
      "error: nothing was changed: to delete this bot permanently, add --yes; to keep it, omit --prune\n",
    );
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
    expect(await listIds()).toEqual(["old"]);
  });

  test("asks on a terminal, and obeys", async () => {
    await cli.seed("old");
    const args = ["seed", writeBot("new"), "--prune"];
    const kept = await cli.run(args, { confirm: false });
    expect(kept).toMatchObject({ stdout: "", exitCode: 0 });
    expect(kept.stderr).toEndWith("nothing was changed\n");
    expect(await listIds()).toEqual(["old"]);
    expect((await cli.run(args, { confirm: true })).stdout).toBe("created    new\ndeleted    old\n");
    expect(await listIds()).toEqual(["new"]);
  });

  test("asks nothing where nothing would be deleted", async () => {
    await cli.seed("kept");
    const { stdout, stderr } = await cli.run(["seed", writeBot("kept"), "--prune"]);
    expect({ stdout, stderr }).toEqual({ stdout: "updated    kept\n", stderr: "" });
  });

  test("with --dry-run says what it would delete, and asks nothing", async () => {
    await cli.seed("old");
    const { stdout, stderr, exitCode } = await cli.run(["seed", writeBot("new"), "--prune", "--dry-run"]);
    expect(stdout).toBe("created    new\ndeleted    old\n");
    expect(stderr).toContain("  old  0              0\n");
    expect(exitCode).toBe(0);
    expect(await listIds()).toEqual(["old"]);
  });

  test("tells in JSON how much went", async () => {
    await seedOpen("old");
    await cli.converse("old", ["hello"]);
    const args = ["seed", writeBot("new"), "--prune", "--yes", "--json"];
    expect(JSON.parse((await cli.run(args)).stdout)).toMatchObject({
      bots: [
        { id: "new", change: "created" },
        { id: "old", change: "deleted", conversations: 1, messages: 1 },
      ],
    });
  });
});

describe("the review of a seed", () => {
  const NAMES = [
    "anna",
    "ben",
    "carl",
    "dora",
    "emil",
    "frida",
    "gus",
    "hedda",
    "ivo",
    "jana",
    "karl",
    "lena",
  ];
  const FEW = { name: "few", examples: ["something else", "feed the dog of Ánna"], responses: ["Else."] };
  const DOG = {
    name: "dog.feed",
    examples: NAMES.map((name) => `feed the dog of ${name}`),
    responses: ["Fed."],
  };
  const CAT = {
    name: "cat.call",
    examples: NAMES.map((name) => `call the cat of ${name}`),
    responses: ["Here."],
  };
  const PETS = {
    id: "pets",
    name: "Pets",
    allowedDomains: ["pets.example"],
    intents: [DOG, CAT, FEW],
    capabilityProfile: { deny: ["cat.call"] },
  };
  const seed = (bot: object, ...flags: string[]) =>
    cli.run(["seed", "-", ...flags], { stdin: JSON.stringify(bot) });

  test("says on stderr what the examples are worth, and warns", async () => {
    const { stdout, stderr } = await seed(PETS);
    expect(stdout).toBe("created    pets\n");
    expect(stderr).toMatch(
      /^pets: 3 intents, 26 examples\. (Good|Fair): of 26 cross-validated examples \d+ were right.*\. Next: Add examples to few, it has 2\.$/m,
    );
    expect(stderr).toContain("pets: warning: few examples: few (2);");
    expect(stderr).toContain('pets: warning: "feed the dog of anna" is an example of dog.feed and of few');
  });

  test("warns once of an example that two intents share to the letter, with its line", async () => {
    const few = { ...FEW, examples: [DOG.examples[0]] };
    const { stderr } = await seed({ ...PETS, intents: [DOG, few] });
    expect(stderr.match(/example of/g)).toHaveLength(1);
    expect(stderr).toStartWith("stdin:1:");
  });

  test("is part of the JSON", async () => {
    const { stdout } = await seed(PETS, "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      bots: [
        {
          id: "pets",
          change: "created",
          review: {
            intents: 3,
            examples: 26,
            judged: 26,
            inScopeAccuracy: expect.any(Number),
            deniedRecall: 1,
            warnings: [{ kind: "few_examples" }, { kind: "shared_example" }, { kind: "overlap" }],
            verdict: { judged: 26, next: "Add examples to few, it has 2." },
          },
        },
      ],
    });
  });

  test("is of bots whose examples changed alone", async () => {
    await seed(PETS);
    expect((await seed(PETS)).stderr).toBe("");
    expect(await seed({ ...PETS, name: "Renamed" })).toMatchObject({
      stdout: "updated    pets\n",
      stderr: "",
    });
    const intents = [{ ...DOG, examples: [...DOG.examples, "the dog is hungry"] }, CAT, FEW];
    expect((await seed({ ...PETS, intents })).stderr).toContain("pets: 3 intents, 27 examples");
  });

  test("is left out with --no-review, and by a dry run", async () => {
    expect((await seed(PETS, "--dry-run")).stderr).toBe("dry run: nothing was changed\n");
    expect(await seed(PETS, "--no-review")).toMatchObject({ stdout: "created    pets\n", stderr: "" });
  });

  test("does not judge by a handful of examples", async () => {
    const bot = { ...PETS, intents: [FEW], capabilityProfile: {} };
    const { stdout, stderr } = await seed(bot, "--json");
    expect(JSON.parse(stdout)).toMatchObject({ bots: [{ review: { judged: 0, inScopeAccuracy: null } }] });
    expect(JSON.parse(stdout)).toMatchObject({ bots: [{ review: { verdict: { grade: null } } }] });
    expect(stderr).toStartWith(
      "pets: 1 intent, 2 examples. Too few examples to judge by. Next: Add examples to few, it has 2.\n",
    );
  });
});

describe("seed --issue-tokens", () => {
  test("prints a token and a snippet for each new bot, and for no other", async () => {
    await cli.seed("old");
    writeBot("old");
    writeBot("fresh");
    const args = ["seed", join(cli.folder, "bots"), "--issue-tokens", "--cdn-url", "https://cdn.example"];
    const { stdout } = await cli.run([...args, "--json"]);
    const { bots } = JSON.parse(stdout) as { bots: { id: string; token?: string; snippet?: string }[] };
    const [fresh, old] = bots;
    expect(fresh).toMatchObject({ id: "fresh", change: "created" });
    expect(fresh?.token).toMatch(/^parley_et_[0-9A-Za-z]{36}$/);
    expect(fresh?.snippet).toBe(
      `<script src="https://cdn.example/widget.js" data-bot-id="fresh" data-token="${fresh?.token}" data-endpoint="http://127.0.0.1:8787" async></script>`,
    );
    expect(old).toEqual({ id: "old", change: "updated" } as typeof old);
  });

  test("names the command that issues one for a bot that is not new and has none", async () => {
    const args = ["seed", writeBot("a"), "--no-review", "--issue-tokens"];
    await cli.run(["seed", writeBot("a")]);
    const hint = `a has no token, and only new bots get one here; \`parley token create --bot a --data ${cli.data}\` creates one\n`;
    expect(await cli.run(args)).toMatchObject({ stdout: "unchanged  a\n", stderr: hint });
    expect(await cli.run([...args, "--prune"])).toMatchObject({ stderr: hint });
    await cli.run(["token", "create", "--bot", "a"]);
    const another = `a has a token already, shown only when created; \`parley token create --bot a --data ${cli.data}\` creates another\n`;
    expect(await cli.run(args)).toMatchObject({ stdout: "unchanged  a\n", stderr: another });
  });

  test("a token that is revoked or has expired counts as none", async () => {
    const args = ["seed", writeBot("a"), "--no-review", "--issue-tokens"];
    await cli.run(args);
    const { stdout } = await cli.run(["token", "list", "--json"]);
    const { tokens } = JSON.parse(stdout) as { tokens: { id: string }[] };
    await cli.run(["token", "create", "--bot", "a", "--expires", "1h"]);
    await cli.run(["token", "revoke", tokens[0]!.id]);
    expect((await cli.run(args)).stderr).toContain("a has a token already");
    expect((await cli.run(args, { now: Date.UTC(2026, 10, 21, 13) })).stderr).toContain("a has no token");
  });

  test("the token is stored by its hash alone, and grants that bot alone", async () => {
    const { stdout } = await cli.run(["seed", writeBot("a"), writeBot("b"), "--issue-tokens", "--json"]);
    const { bots } = JSON.parse(stdout) as { bots: { id: string; token: string }[] };
    const listed = await cli.run(["token", "list", "--json"]);
    expect(JSON.parse(listed.stdout)).toMatchObject({ tokens: [{ botIds: ["a"] }, { botIds: ["b"] }] });
    const files = await Array.fromAsync(new Bun.Glob("*").scan(cli.data), (name) =>
      Bun.file(join(cli.data, name)).text(),
    );
    for (const { token } of bots) expect(files.join()).not.toContain(token);
  });

  test("the snippet's address follows the public address", async () => {
    const args = ["seed", writeBot("a"), "--issue-tokens", "--public-url", "https://chat.example/"];
    expect((await cli.run(args)).stdout).toContain('<script src="https://chat.example/cdn/widget.js"');
    const env = { PARLEY_CDN_URL: "https://cdn.example" };
    expect((await cli.run(["seed", writeBot("b"), "--issue-tokens"], { env })).stdout).toContain(
      "https://cdn.example/",
    );
  });
});

describe("seeding over what the console published", () => {
  const file = (name: string) => `id: acme\nname: ${name}\nallowedDomains: ["*"] # as the file has it\n`;
  const seed = (name: string, ...flags: string[]) => cli.run(["seed", "-", ...flags], { stdin: file(name) });

  async function publishInConsole(name: string): Promise<void> {
    await using store = new SqliteStore({ dataDir: cli.data, now: Date.now, busyTimeoutMs: 5000 });
    const document = botWith({ id: "acme", name, allowedDomains: ["*"] });
    const { version } = (await store.bots.find("acme"))!;
    await store.bots.publish({ document, yaml: file(name), replaces: version });
  }

  beforeEach(async () => {
    await seed("Acme");
    await publishInConsole("Acme Spring");
  });

  test("is refused with what it would take back, and ends with 1", async () => {
    const { stdout, stderr, exitCode } = await seed("Acme");
    expect(stderr).toContain("acme was changed in the console; seeding overwrites:");
    expect(stderr).toContain("name: Acme Spring → Acme");
    expect(stderr).toContain("nothing was changed");
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
    expect((await cli.run(["bot", "export", "acme"])).stdout).toBe(file("Acme Spring"));
  });

  test("is shown by a dry run, which ends as the seed would", async () => {
    const { stdout, stderr, exitCode } = await seed("Acme", "--dry-run");
    expect(stdout).toBe("updated    acme\n");
    expect(stderr).toContain("name: Acme Spring → Acme");
    expect(exitCode).toBe(1);
    expect((await seed("Acme", "--dry-run", "--force")).exitCode).toBe(0);
  });

  test("is done with --force, and says what was taken back", async () => {
    const { stdout, stderr, exitCode } = await seed("Acme", "--force");
    expect(stdout).toBe("updated    acme\n");
    expect(stderr).toContain("this was overwritten");
    expect(exitCode).toBe(0);
    expect((await seed("Acme Summer")).stdout).toBe("updated    acme\n");
  });

  test("needs nothing where the file has what the console has: it leads again", async () => {
    const { stdout: exported } = await cli.run(["bot", "export", "acme"]);
    expect((await cli.run(["seed", "-"], { stdin: exported })).stdout).toBe("unchanged  acme\n");
    expect((await seed("Acme Summer")).exitCode).toBe(0);
  });

  test("that is refused changes nothing at all: bots that it would have pruned keep their documents, uploads too", async () => {
    await using store = new SqliteStore({ dataDir: cli.data, now: Date.now, busyTimeoutMs: 1000 });
    const { key } = (await store.bots.find("acme"))!;
    await uploadDocument(
      store.knowledge,
      key,
      {
        name: "hours.txt",
        bytes: new TextEncoder().encode("We open at nine."),
      },
      new AbortController().signal,
    );
    const before = readTables(join(cli.data, "parley.db"));
    const stdin = "id: other\nname: Other\nallowedDomains: []\n";
    const { stderr, exitCode } = await cli.run(["seed", "-", "--prune", "--yes"], { stdin });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("acme was published in the console");
    expect(readTables(join(cli.data, "parley.db"))).toEqual(before);
  });

  test("prunes no bot of the console's without --force", async () => {
    const stdin = "id: other\nname: Other\nallowedDomains: []\n";
    const refused = await cli.run(["seed", "-", "--prune", "--yes"], { stdin });
    expect(refused.stderr).toContain("acme was published in the console");
    expect(refused.exitCode).toBe(1);
    expect((await cli.run(["seed", "-", "--prune", "--yes", "--force"], { stdin })).exitCode).toBe(0);
    expect((await cli.run(["bot", "list", "--json"])).stdout).not.toContain("acme");
  });
});
