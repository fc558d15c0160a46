import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { CliFixture } from "../../support/cli.ts";

let cli: CliFixture;
beforeEach(() => void (cli = new CliFixture()));
afterEach(() => cli[Symbol.dispose]());

const SHOP = `id: shop
name: Shop
allowedDomains: [shop.example]
intents:
  - name: price.haggle
    examples: [can I get a discount, make it cheaper, lower the price, is there a rebate]
    responses: [Prices are fixed.]
  - name: hours
    examples: [when are you open, opening hours, what time do you close, are you open on sunday]
    responses: [We are open from 9 to 5.]
`;
const DENY_TYPO = "capabilityProfile:\n  deny: [price.hagle]\n";
const FAILING_TESTS = `tests:
  - { utterance: opening hours, intent: hours }
  - dialogue:
      - { utterance: when are you open, intent: hours }
      - { utterance: lower the price, decision: DENY_LIST }
`;

function write(name: string, text: string): string {
  const path = join(cli.folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const isThere = async (id: string) => (await cli.run(["bot", "show", id])).exitCode === 0;

describe("seed", () => {
  test("refuses a name in `deny` that matches nothing, with its place, and changes nothing", async () => {
    const bot = write("shop.yaml", SHOP + DENY_TYPO);
    const { stdout, stderr, exitCode } = await cli.run(["seed", bot, "--json"]);
    expect(stderr).toContain(
      `${bot}:12:10: \`price.hagle\` matches no intent of this bot; did you mean \`price.haggle\`?\n`,
    );
    expect(stderr).toEndWith("error: one fault; --accept-faults accepts it; nothing was changed\n");
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ bots: [], problems: [{ severity: "error", line: 12 }] });
    expect(await isThere("shop")).toBe(false);
  });

  test("refuses bots whose tests fail, with the place of each message, and changes nothing, of the others neither", async () => {
    const other = write("other.yaml", SHOP.replace("id: shop", "id: other"));
    const bot = write("shop.yaml", SHOP + FAILING_TESTS);
    const { stdout, stderr, exitCode } = await cli.run(["seed", other, bot]);
    expect(stderr).toContain(
      `${bot}:15:9: the test "lower the price" fails: decision is allowed, not DENY_LIST\n`,
    );
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
    expect(stderr).toEndWith("error: one fault; --accept-faults accepts it; nothing was changed\n");
    expect([await isThere("shop"), await isThere("other")]).toEqual([false, false]);
  });

  test("leaves a stored bot as it is where its next version has faults", async () => {
    const bot = write("shop.yaml", SHOP);
    expect((await cli.run(["seed", bot])).exitCode).toBe(0);
    write("shop.yaml", SHOP + DENY_TYPO + FAILING_TESTS);
    expect((await cli.run(["seed", bot])).exitCode).toBe(1);
    const { stdout } = await cli.run(["bot", "show", "shop", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ version: 1 });
  });

  test("--accept-faults seeds all the same, prints what it passes over, and the audit tells it", async () => {
    const bot = write("shop.yaml", SHOP + DENY_TYPO + FAILING_TESTS);
    const { stdout, stderr, exitCode } = await cli.run(["seed", bot, "--accept-faults", "--no-review"]);
    expect({ stdout, exitCode }).toEqual({ stdout: "created    shop\n", exitCode: 0 });
    expect(stderr).toContain("shop.yaml:12:10: warning: `price.hagle` matches no intent of this bot");
    expect(stderr).toContain('shop.yaml:17:9: warning: the test "lower the price" fails');
    const [change] = JSON.parse((await cli.run(["audit", "changes", "--json"])).stdout).changes;
    expect(change).toMatchObject({ what: "bot.created", subject: "shop" });
    expect(change.fields).toContainEqual({
      field: "acceptedFaults",
      after: [
        "`price.hagle` matches no intent of this bot; did you mean `price.haggle`?",
        'the test "lower the price" fails: decision is allowed, not DENY_LIST',
      ],
    });
  });

  test("a dry run ends as the seed would", async () => {
    const bot = write("shop.yaml", SHOP + FAILING_TESTS);
    expect(await cli.run(["seed", bot, "--dry-run"])).toMatchObject({ exitCode: 1, stdout: "" });
    const accepted = await cli.run(["seed", bot, "--dry-run", "--accept-faults"]);
    expect(accepted).toMatchObject({ exitCode: 0, stdout: "created    shop\n" });
    expect(await isThere("shop")).toBe(false);
  });

  test("--force passes over no fault", async () => {
    const bot = write("shop.yaml", SHOP + DENY_TYPO);
    expect((await cli.run(["seed", bot, "--force"])).exitCode).toBe(1);
  });

  test("tests are judged by the documents that were read, before anything is stored", async () => {
    write("docs/returns.md", "# Returns\n\nUnused bicycles can be returned within 30 days.\n");
    const asks = "tests: [{ utterance: can unused bicycles be returned, intent: knowledge }]\n";
    const bot = write("shop.yaml", `${SHOP}knowledge: [docs/]\n${asks}`);
    expect(await cli.run(["seed", bot, "--no-review"])).toMatchObject({ exitCode: 0 });
    // What is stored of a file counts only as long as the file says it.
    write("docs/returns.md", "# Parking\n\nThere are three parking lots behind the house.\n");
    const { stderr, exitCode } = await cli.run(["seed", bot, "--no-review"]);
    expect(stderr).toContain("intent is none, not knowledge");
    expect(exitCode).toBe(1);
    const found = await cli.run(["knowledge", "search", "shop", "can unused bicycles be returned", "--json"]);
    expect(found.stdout).toContain("30 days");
  });

  test("does not compare the answer that a model would word", async () => {
    const asks = (response: string) =>
      `tests: [{ utterance: opening hours, intent: hours, response: "${response}" }]\n`;
    const scripted = write("shop.yaml", SHOP + asks("Hello."));
    expect((await cli.run(["seed", scripted])).exitCode).toBe(1);
    const worded = write("shop.yaml", `${SHOP}responder: { kind: model }\n${asks("Hello.")}`);
    expect((await cli.run(["seed", worded, "--no-review"])).exitCode).toBe(0);
  });

  test("takes names of social turns in `deny` for what they are", async () => {
    const bot = write("shop.yaml", `${SHOP}capabilityProfile:\n  deny: [social.*]\n`);
    const { stderr, exitCode } = await cli.run(["seed", bot, "--no-review"]);
    expect(exitCode).toBe(0);
    expect(stderr).not.toContain("matches no intent");
  });

  test("warns of a bot without a domain: every message gets 403", async () => {
    const bot = write("shop.yaml", SHOP.replace("[shop.example]", "[]"));
    const { stderr, exitCode } = await cli.run(["seed", bot, "--no-review"]);
    expect(stderr).toContain(
      "shop.yaml:3:17: warning: `allowedDomains` is empty, so that every message gets 403",
    );
    expect(exitCode).toBe(0);
  });
});
