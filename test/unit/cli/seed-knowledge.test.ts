import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { CliFixture, type CliResult } from "../../support/cli.ts";

let cli: CliFixture;
beforeEach(() => void (cli = new CliFixture()));
afterEach(() => cli[Symbol.dispose]());

function write(files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = join(cli.folder, "bots", name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

const bot = (knowledge: unknown, id = "shop") =>
  JSON.stringify({ id, name: "Shop", allowedDomains: ["*"], knowledge });

const seed = (...flags: string[]): Promise<CliResult> =>
  cli.run(["seed", join(cli.folder, "bots"), "--no-review", ...flags]);

describe("seed", () => {
  test("reads the documents of a bot from the bot file's folder, and says what became of each source", async () => {
    write({
      "shop.json": bot(["docs/", "faq.csv"]),
      "docs/tents.md": "# Tents\n\nTents dry in the air.\n\n## Care\n\nBrush them.",
      "docs/empty.md": "",
      "docs/logo.png": "png",
      "faq.csv": "question,answer\nDo you ship?,Yes.",
    });
    const { stdout, exitCode } = await seed();
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      [
        "created    shop",
        "  knowledge  docs/: 1 document, 2 passages, 1 new or changed",
        "    skipped 1 (is not Markdown, HTML, text, PDF, DOCX, CSV or JSON): docs/logo.png",
        "    skipped 1 (is empty): docs/empty.md",
        "  knowledge  faq.csv: 1 document, 1 passage, 1 new or changed",
        "",
      ].join("\n"),
    );
  });

  test("reads only what has changed, and lets go what is gone", async () => {
    write({ "shop.json": bot(["docs/"]), "docs/a.md": "# A\n\nOne.", "docs/b.md": "# B\n\nTwo." });
    await seed();
    expect((await seed()).stdout).toBe("unchanged  shop\n  knowledge  docs/: 2 documents, 2 passages\n");
    write({ "docs/a.md": "# A\n\nThree." });
    rmSync(join(cli.folder, "bots/docs/b.md"));
    expect((await seed()).stdout).toBe(
      "unchanged  shop\n  knowledge  docs/: 1 document, 1 passage, 1 new or changed\n  knowledge  1 document left\n",
    );
  });

  test("keeps what it had of a source that cannot be read, and says so", async () => {
    write({ "shop.json": bot(["docs/"]), "docs/a.md": "# A\n\nOne." });
    await seed();
    rmSync(join(cli.folder, "bots/docs"), { recursive: true });
    const { stdout, exitCode } = await seed();
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/docs\/: could not be read: .+; 1 document and 1 passage are kept\n/);
  });

  test("tells once why it leaves something out, and then how much", async () => {
    write({ "shop.json": bot(["docs/"]), "docs/a.md": "# A\n\nOne.", "docs/b.png": "png", "docs/c.md": "" });
    expect((await seed()).stdout).toContain("skipped 1 (is empty): docs/c.md\n");
    expect((await seed()).stdout).toBe(
      "unchanged  shop\n  knowledge  docs/: 1 document, 1 passage, 2 skipped as before\n",
    );
    write({ "docs/d.md": "" });
    expect((await seed()).stdout).toBe(
      "unchanged  shop\n  knowledge  docs/: 1 document, 1 passage, 2 skipped as before\n    skipped 1 (is empty): docs/d.md\n",
    );
    const { bots } = JSON.parse((await seed("--json")).stdout) as { bots: [{ knowledge: object }] };
    expect(bots[0].knowledge).toMatchObject({
      sources: [
        { skipped: [{ places: ["docs/b.png"] }, { reason: "is empty", places: ["docs/c.md", "docs/d.md"] }] },
      ],
    });
  });

  test("reads nothing that `exclude` names, and lets its documents go", async () => {
    const files = ["a.md", "b.md", "drafts/a.md", "more/drafts/x/y.md", "more/notes.tmp.md", "more/b.md"];
    write(Object.fromEntries(files.map((name) => [`docs/${name}`, `# ${name}\n\nOne.`])));
    write({ "docs/more/logo.png": "png", "shop.json": bot([{ path: "docs/" }]) });
    expect((await seed()).stdout).toContain("docs/: 6 documents");
    write({
      "shop.json": bot([
        { path: "docs/", exclude: ["drafts", "*.png", "*.tmp.md", "more/b.md", "more/a.md"] },
      ]),
    });
    expect((await seed()).stdout).toBe(
      "updated    shop\n  knowledge  docs/: 2 documents, 2 passages\n  knowledge  4 documents left\n",
    );
    const { stdout } = await cli.run(["knowledge", "list", "shop", "--json"]);
    const { documents } = JSON.parse(stdout) as { documents: { place: string }[] };
    expect(documents.map(({ place }) => place)).toEqual(["docs/a.md", "docs/b.md"]);
  });

  test("lets the documents go of a source that the bot file names no more", async () => {
    write({ "shop.json": bot(["docs/"]), "docs/a.md": "# A\n\nOne." });
    await seed();
    write({ "shop.json": JSON.stringify({ id: "shop", name: "Shop", allowedDomains: ["*"] }) });
    expect((await seed()).stdout).toBe("updated    shop\n  knowledge  1 document left\n");
  });

  test("never takes a document for a bot file", async () => {
    write({
      "shop.yaml": "id: shop\nname: Shop\nallowedDomains: []\nknowledge: [docs/]",
      "docs/faq.json": '{"Do you ship?": "Yes."}',
      "docs/latin.json": new Uint8Array([0x7b, 0xff]),
    });
    const { stdout, stderr, exitCode } = await seed();
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(stdout).toContain("docs/: 1 document, 1 passage");
  });

  test("says in JSON what became of each source", async () => {
    write({ "shop.json": bot(["docs/"]), "docs/a.md": "# A\n\nOne." });
    const { stdout } = await seed("--json");
    expect(JSON.parse(stdout)).toMatchObject({
      bots: [
        {
          id: "shop",
          knowledge: {
            sources: [{ name: "docs/", documents: 1, passages: 1, stored: 1, skipped: [] }],
            stored: 1,
            removed: 0,
          },
        },
      ],
    });
  });

  test("in a dry run, reads and stores no document", async () => {
    write({ "shop.json": bot(["docs/"]), "docs/a.md": "# A\n\nOne." });
    await seed();
    rmSync(join(cli.folder, "bots/docs"), { recursive: true });
    await seed("--dry-run");
    write({ "docs/a.md": "# A\n\nOne." });
    expect((await seed()).stdout).toBe("unchanged  shop\n  knowledge  docs/: 1 document, 1 passage\n");
  });
});

describe("a path at which nothing is, and of which nothing is known,", () => {
  const YAML =
    "id: shop\nname: Shop\nallowedDomains: ['*']\nknowledge:\n  - docs/\n  - path: hlep/\n    url: https://a.example/\n";

  test.each(["--issue-tokens", "--dry-run"])(
    "is a fault at its place, and nothing is changed: %s",
    async (flag) => {
      write({ "shop.yaml": YAML, "docs/a.md": "# A\n\nOne." });
      const { stdout, stderr, exitCode } = await seed(flag);
      expect(stderr).toContain("shop.yaml:6:5: `hlep/` cannot be read: there is no such file or folder\n");
      expect(stderr).toEndWith("error: one fault; --accept-faults accepts it; nothing was changed\n");
      expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
      expect((await cli.run(["bot", "show", "shop"])).exitCode).not.toBe(0);
    },
  );

  test("is passed over by --accept-faults, which says so", async () => {
    write({ "shop.yaml": YAML, "docs/a.md": "# A\n\nOne." });
    const { stdout, stderr, exitCode } = await seed("--accept-faults");
    expect(stderr).toContain("shop.yaml:6:5: warning: `hlep/` cannot be read");
    expect(stdout).toContain(
      "hlep/: could not be read: there is no such file or folder; nothing of it is stored\n",
    );
    expect(exitCode).toBe(0);
    expect((await cli.run(["audit", "changes"])).stdout).toContain("hlep/");
  });
});

describe("seed --strict", () => {
  test("changes nothing where a document cannot be read, and names it", async () => {
    write({ "shop.json": bot(["docs/"]), "docs/a.md": "# A\n\nOne.", "docs/broken.docx": "no archive" });
    const { exitCode, stderr } = await seed("--strict");
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^shop: docs\/broken\.docx: .+\nerror: one mistake; nothing was changed\n$/);
    expect((await cli.run(["bot", "list", "--json"])).stdout).toContain('"bots": []');
  });

  test("has nothing against files that are no documents", async () => {
    write({ "shop.json": bot(["docs/"]), "docs/a.md": "# A\n\nOne.", "docs/logo.png": "png" });
    expect((await seed("--strict")).exitCode).toBe(0);
  });
});

test("an intent that is called as answers from documents are is refused", async () => {
  write({
    "shop.yaml": "id: shop\nname: Shop\nallowedDomains: []\nintents:\n  - name: knowledge\n",
  });
  const { exitCode, stderr } = await seed();
  expect(exitCode).toBe(1);
  expect(stderr).toContain("`knowledge` is what answers from documents are called; rename the intent");
});

test("documents that the profile keeps from answering are warned of", async () => {
  write({
    "shop.yaml":
      "id: shop\nname: Shop\nallowedDomains: []\nknowledge: [docs/]\ncapabilityProfile:\n  allow: [orders]\nintents:\n  - name: orders\n    responses: [Yes]\n",
    "docs/a.md": "# A\n\nOne.",
  });
  expect((await seed()).stderr).toContain(
    "the capability profile does not allow `knowledge`: add `knowledge` to allow",
  );
});

describe("answers that contradict a document", () => {
  const LATE =
    "# Good to know\n\n## Late opening on Thursdays\n\nOn Thursdays the repair desk stays open until 8 pm.\n\n";
  const OTHERS = "## Washing tents\n\nBrush them.\n\n## Gift cards\n\nThey are sent by post.\n";
  const shop = (answer: string) => {
    const examples = ["is the repair desk open late on thursdays", "until when is the repair desk open"];
    const intents = [{ name: "hours", examples, responses: [answer] }];
    return JSON.stringify({ id: "shop", name: "Shop", allowedDomains: ["*"], knowledge: ["docs/"], intents });
  };
  const review = (...flags: string[]) => cli.run(["seed", join(cli.folder, "bots"), ...flags]);

  test("are warned of with both sentences, when the answer or the document is new", async () => {
    write({ "shop.json": shop("The repair desk is open until 6 pm."), "docs/a.md": LATE + OTHERS });
    const warning =
      "hours answers “The repair desk is open until 6 pm.”, and Good to know › Late opening on Thursdays says " +
      "“On Thursdays the repair desk stays open until 8 pm.”";
    expect((await review()).stderr).toContain(warning);
    expect((await review()).stderr).not.toContain("repair desk");
    write({ "docs/a.md": `${LATE}Ring twice.\n\n${OTHERS}` });
    const { stdout, stderr } = await review("--json");
    expect(stderr).toContain(warning);
    expect(JSON.parse(stdout)).toMatchObject({ bots: [{ contradictions: [{ intent: "hours" }] }] });
    write({ "shop.json": shop("The repair desk is open until 8 pm.") });
    expect((await review()).stderr).not.toContain("repair desk");
  });

  test("are not looked for without a review", async () => {
    write({ "shop.json": shop("The repair desk is open until 6 pm."), "docs/a.md": LATE + OTHERS });
    expect((await seed()).stderr).not.toContain("repair desk");
  });
});
