import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { openStore } from "../../../src/cli/data-folder.ts";
import { ENCODER_VERSION, packTextVectors } from "../../../src/intent/classifier.ts";
import { textsOfPassage } from "../../../src/knowledge/passage-texts.ts";
import type { KnowledgeSearch } from "../../../src/operate/search-knowledge.ts";
import { CliFixture } from "../../support/cli.ts";
import { encoderHere } from "../../support/encode-here.ts";

const GIFT_CARDS =
  "---\nurl: https://acme.example/gift-cards\n---\n# Gift cards\n\n## How long gift cards last\n\nA gift card never expires.\n";

let cli: CliFixture;
beforeEach(async () => {
  cli = new CliFixture();
  write({
    "bots/shop.yaml": 'id: shop\nname: Shop\nallowedDomains: ["*"]\nknowledge: [docs/]\n',
    "bots/docs/gift-cards.md": GIFT_CARDS,
    "bots/docs/tents.md": "# Tents\n\nHang a wet tent over a line until it is dry.\n",
    "more/boots.md": "# Boots\n\nGrease leather boots in autumn.\n",
  });
  await run("seed", join(cli.folder, "bots"), "--no-review");
});
afterEach(() => cli[Symbol.dispose]());

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = join(cli.folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

async function run(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await cli.run(args);
  if (exitCode !== 0) throw new Error(stderr);
  return stdout;
}

async function search(query: string): Promise<KnowledgeSearch> {
  const [found] = JSON.parse(await run("knowledge", "search", "shop", query, "--json")) as KnowledgeSearch[];
  return found!;
}

/** Stores that everything a passage says means the same as another text. */
async function storeMeaning(title: string, text: string): Promise<void> {
  await using store = await openStore({ now: Date.now }, { data: cli.data });
  const ids = await store.knowledge.listPassageIds((await store.bots.find("shop"))!.key);
  const passages = await store.knowledge.findPassages(ids);
  const [id, passage] = [...passages].find(([, known]) => known.title === title)!;
  const { whole, sentences } = textsOfPassage(passage, "en");
  const meant = (await encoderHere.encode({ form: "message", text }))!;
  const vectors = new Map([...whole, ...sentences].map((own) => [own, meant]));
  await store.vectors.savePassageVectors(new Map([[id, packTextVectors(vectors)]]), ENCODER_VERSION);
}

async function places(): Promise<string[]> {
  const { documents } = JSON.parse(await run("knowledge", "list", "shop", "--json")) as {
    documents: { place: string }[];
  };
  return documents.map(({ place }) => place);
}

describe("knowledge search", () => {
  test("prints the best passages as JSON, with their titles, addresses, headings and scores", async () => {
    expect(await search("How long do gift cards last?")).toEqual({
      query: "How long do gift cards last?",
      confidence: expect.any(Number),
      isAnswered: true,
      results: [
        {
          title: "Gift cards",
          url: "https://acme.example/gift-cards#how-long-gift-cards-last",
          heading: "How long gift cards last",
          passage: "A gift card never expires.",
          score: expect.any(Number),
        },
        expect.objectContaining({ title: "Tents" }),
      ],
    });
  });

  test("gives the chance of the best as the confidence; of all, no more than one", async () => {
    const { confidence, results } = await search("How long do gift cards last?");
    const chances = results.map(({ score }) => score);
    expect(confidence).toBe(chances[0]!);
    expect(chances).toEqual(chances.toSorted((left, right) => right - left));
    expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeWithin(confidence, 1);
  });

  test("finds what is asked in other words, by what they mean", async () => {
    const { isAnswered, results } = await search("is there an expiry date on a voucher?");
    expect([isAnswered, results[0]!.title]).toEqual([true, "Gift cards"]);
  });

  test("takes what passages mean from the store, where it is there", async () => {
    const query = "do you ship to the moon?";
    expect((await search(query)).isAnswered).toBe(false);
    await storeMeaning("Tents", query);
    const { isAnswered, results } = await search(query);
    expect([isAnswered, results[0]!.title]).toEqual([true, "Tents"]);
  });

  test("takes many queries from a file, and answers them in order", async () => {
    const { stdout } = await cli.run(["knowledge", "search", "shop", "--queries", "-", "--json"], {
      stdin: '{"text": "a wet tent"}\n\n{"text": "xylophone", "id": 7}\n',
    });
    const found = JSON.parse(stdout) as KnowledgeSearch[];
    expect(found.map(({ query }) => query)).toEqual(["a wet tent", "xylophone"]);
    expect(found[0]!.results[0]).toMatchObject({ title: "Tents", url: null, heading: "" });
    expect(found[1]).toMatchObject({ query: "xylophone", isAnswered: false });
  });

  test("says for people what would come of a message", async () => {
    const text = await run("knowledge", "search", "shop", "How", "long", "do", "gift", "cards", "last?");
    expect(text).toMatch(
      /^How long do gift cards last\?: answered, confidence \d+\.\d %\n {2}1\. Gift cards › How long/,
    );
  });

  test.each([
    [[], 2, "give a query, or --queries FILE"],
    [["--queries", "-", "more"], 2, "not both"],
    [["--queries", "-"], 1, "-:1: a line is"],
  ])("%j is refused", async (args, code, message) => {
    const { exitCode, stderr } = await cli.run(["knowledge", "search", "shop", ...args], {
      stdin: '{"q": 1}',
    });
    expect(exitCode).toBe(code);
    expect(stderr).toContain(message);
  });
});

describe("knowledge add", () => {
  test("lets a bot answer from more documents, which a seed leaves alone", async () => {
    const folder = join(cli.folder, "more");
    const added = await run("knowledge", "add", "shop", folder, "--url", "https://acme.example/more/");
    expect(added).toBe(`${folder}: 1 document, 1 passage, 1 new or changed\n`);
    await run("seed", join(cli.folder, "bots"), "--no-review");
    const { results } = await search("grease leather boots");
    expect(results[0]).toMatchObject({
      title: "Boots",
      url: expect.stringContaining("https://acme.example/more/boots"),
    });
  });

  test.each([
    [["nowhere/"], "nowhere/: "],
    [["ftp://acme.example/"], "an address begins with"],
    [["docs/", "--sitemap"], "is not an address"],
  ])("%j is refused", async (args, message) => {
    const { exitCode, stderr } = await cli.run(["knowledge", "add", "shop", ...args]);
    expect(exitCode).toBeGreaterThan(0);
    expect(stderr).toContain(message);
  });

  test("does not fetch from private addresses", async () => {
    using server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () => new Response("# Secret\n\nPlans."),
    });
    const url = `http://127.0.0.1:${server.port}/plans.md`;
    expect(await run("knowledge", "add", "shop", url)).toContain("has a private address");
    expect(await places()).not.toContain(url);
    const allowed = ["--knowledge-hosts", `127.0.0.1:${server.port}`];
    expect(await run("knowledge", "add", "shop", url, ...allowed)).toContain("1 document");
    expect(await places()).toContain(url);
  });
});

describe("knowledge refresh", () => {
  test("reads what has changed, from where the bot file was", async () => {
    write({ "bots/docs/tents.md": "# Tents\n\nTents are rented in summer.\n" });
    expect(await run("knowledge", "refresh", "shop")).toBe(
      "docs/: 2 documents, 2 passages, 1 new or changed\n",
    );
    expect((await search("rented tents")).results[0]!.passage).toContain("summer");
  });

  test("of one source leaves the others as they are", async () => {
    await run("knowledge", "add", "shop", join(cli.folder, "more"));
    rmSync(join(cli.folder, "more"), { recursive: true });
    write({ "bots/docs/socks.md": "# Socks\n\nWool.\n" });
    expect(await run("knowledge", "refresh", "shop", "docs/")).toBe(
      "docs/: 3 documents, 3 passages, 1 new or changed\n",
    );
    expect(await places()).toHaveLength(4);
    expect(await run("knowledge", "refresh", "shop")).toContain("could not be read");
    expect(await places()).toHaveLength(4);
  });

  test("with --strict changes nothing where a document cannot be read", async () => {
    write({ "bots/docs/broken.docx": "none", "bots/docs/socks.md": "# Socks\n\nWool.\n" });
    const { exitCode, stderr } = await cli.run(["knowledge", "refresh", "shop", "--strict"]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("shop: docs/broken.docx: ")]);
    expect(await places()).toHaveLength(2);
  });
});

describe("knowledge remove", () => {
  test("takes a document out of every file of the data folder", async () => {
    const canary = "never expires";
    rmSync(join(cli.folder, "bots/docs/gift-cards.md"));
    const { stdout, stderr } = await cli.run(["knowledge", "remove", "shop", "docs/gift-cards.md"]);
    expect(stdout).toBe("removed 1 document of shop\n");
    expect(stderr).toContain("reads it again, unless it is removed there");
    for (const name of readdirSync(cli.data).filter((file) => file.startsWith("parley.db")))
      expect(readFileSync(join(cli.data, name)).includes(canary)).toBe(false);
  });

  test("takes a source that was added with all its documents", async () => {
    const folder = join(cli.folder, "more");
    await run("knowledge", "add", "shop", folder);
    const { stderr } = await cli.run(["knowledge", "remove", "shop", folder]);
    expect(stderr).toBe("");
    expect(await places()).toEqual(["docs/gift-cards.md", "docs/tents.md"]);
    expect(await run("knowledge", "refresh", "shop")).not.toContain("more");
  });

  test("of something that is not there is a mistake", async () => {
    const { exitCode, stderr } = await cli.run(["knowledge", "remove", "shop", "docs/nothing.md"]);
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining("`parley knowledge list shop` shows them"),
    ]);
  });
});

test("knowledge list names sources and documents", async () => {
  const text = await run("knowledge", "list", "shop");
  expect(text).toMatch(/^docs\/ +bot file +2 +2 +\S+Z$/m);
  expect(text).toMatch(/^docs\/gift-cards\.md +1 +Gift cards +https:\/\/acme\.example\/gift-cards$/m);
});

test("knowledge read shows what becomes of a file, and stores nothing", async () => {
  const read = await run("knowledge", "read", join(cli.folder, "more/boots.md"));
  expect(JSON.parse(read)).toMatchObject({ kind: "read", document: { title: "Boots" } });
  const { exitCode, stderr } = await cli.run(["knowledge", "read", join(cli.folder, "nothing.md")]);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("nothing.md")]);
});

describe("eval", () => {
  const QUESTIONS = [
    { text: "How long do gift cards last?", source: "https://acme.example/gift-cards" },
    { text: "who won the world cup in football", source: null },
    { text: "xylophone", source: "https://acme.example/gift-cards" },
  ];
  const stdin = QUESTIONS.map((question) => JSON.stringify(question)).join("\n");

  test("measures documents by lines with a source", async () => {
    const { stdout } = await cli.run(["eval", "shop", "--utterances", "-", "--json"], { stdin });
    expect(JSON.parse(stdout)).toMatchObject({
      total: 0,
      knowledge: {
        total: 3,
        answerable: 2,
        recallAt1: 0.5,
        recallAt5: 1,
        answered: 0.5,
        answeredRight: 1,
        falselyAnswered: 0,
        misses: [{ text: "xylophone", expected: QUESTIONS[0]!.source, isAnswered: false }],
      },
    });
    const text = (await cli.run(["eval", "shop", "--utterances", "-"], { stdin })).stdout;
    expect(text).toContain("Documents: 3 questions, 2 of them answerable\n  right document first ");
  });

  test("of a bot file reads the documents beside it", async () => {
    const file = join(cli.folder, "bots/shop.yaml");
    const { stdout } = await cli.run(["eval", file, "--utterances", "-", "--json"], { stdin });
    expect(JSON.parse(stdout)).toMatchObject({ knowledge: { recallAt1: 0.5 } });
  });

  test("refuses a source that is no address", async () => {
    const { exitCode, stderr } = await cli.run(["eval", "shop", "--utterances", "-"], {
      stdin: '{"text": "x", "source": "docs/a.md"}',
    });
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining("stdin:1: `source` should be the address"),
    ]);
  });
});

describe("explain", () => {
  test("shows the passages that were looked at, and how sure they are", async () => {
    const text = await run("explain", "--bot", "shop", "How long do gift cards last?");
    expect(text).toMatch(/^in short +answered from the documents/m);
    expect(text).toMatch(/^documents +\d+\.\d % sure, .*$/m);
    expect(text).toMatch(/^candidate {3}[\d.]+ % {2}Gift cards › How long gift cards last, ahead: /m);
  });

  test("decides a stored turn again with the documents of now", async () => {
    const { requestIds } = await cli.converse("shop", ["How long do gift cards last?"]);
    expect(await run("explain", requestIds[0]!)).toMatch(/^replay +the same result$/m);
  });
});

test("chat answers from documents, and says which", async () => {
  const { stdout, stderr } = await cli.run(["chat", "shop"], { stdin: "How long do gift cards last?\n" });
  expect(stdout).toBe("A gift card never expires.\n");
  expect(stderr).toContain(
    "knowledge · allowed\n  from Gift cards › How long gift cards last <https://acme.example/gift-cards#how-long-gift-cards-last>\n",
  );
});

test("conversation show and explain say what a turn was about, and what might have answered", async () => {
  const { conversationId, requestIds } = await cli.converse("shop", ["How long do gift cards last?"]);
  const shown = await cli.run(["conversation", "show", conversationId]);
  expect(shown.stdout).toContain(
    "about How long gift cards last\nfrom Gift cards › How long gift cards last <",
  );
  const explained = await cli.run(["explain", requestIds[0]!]);
  expect(explained.stdout).toMatch(/^about {7}How long gift cards last \(/m);
  expect(explained.stdout).toMatch(
    /^candidate {3}[\d.]+ % {2}Gift cards › How long gift cards last, (ahead: |nothing else came near)/m,
  );
  expect(explained.stdout).toMatch(/^ {12}[\d.]+ % {2}something else, or nothing that the bot covers$/m);
});

test("audit decisions lists what documents could not answer, and documents that nobody was shown", async () => {
  await cli.converse("shop", [
    "How long do gift cards last?",
    "do you sell xylophones for elephants",
    "do you sell xylophones for elephants",
  ]);
  const { stdout } = await cli.run(["audit", "decisions", "shop", "--json"], { now: Date.now() });
  expect(JSON.parse(stdout)).toMatchObject({
    knowledge: {
      asked: 3,
      answered: 1,
      offered: 0,
      unknown: { turns: 2, clusters: [{ turns: 2, examples: ["do you sell xylophones for elephants"] }] },
      used: [{ place: "docs/gift-cards.md", turns: 1 }],
      unused: ["docs/tents.md"],
    },
  });
  const text = (await cli.run(["audit", "decisions", "shop"], { now: Date.now() })).stdout;
  expect(text).toContain("Documents: searched 3 times, answered 1, suggested 0");
  expect(text).toContain("never shown: docs/tents.md");
  expect(text).toContain("Documents do not answer: 2 messages");
});
