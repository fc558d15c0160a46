import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Suggestion } from "../../src/domain/chat.ts";
import { eventually } from "../support/eventually.ts";
import {
  emptyFolder,
  runExecutable,
  serveExecutable,
  type ServingExecutable,
} from "../support/executable.ts";
import type { ChatResponseBody } from "../support/parley.ts";

setDefaultTimeout(120_000);

const SAMPLES = join(import.meta.dir, "../../data");
const GERMAN_BOT = `
id: praxis-nord
name: Praxis Nord
language: de
allowedDomains: ["*"]
intents:
  - name: termin.buchen
    label: einen Termin vereinbaren
    examples: [ich brauche einen Termin, kann ich einen Termin bekommen, Termin vereinbaren, wann haben Sie einen Termin frei]
    responses: [Termine vergeben wir online.]
  - name: termin.absagen
    label: einen Termin absagen
    examples: [ich muss meinen Termin absagen, kann ich den Termin stornieren, Termin absagen, meinen Termin streichen bitte]
    responses: [Absagen können Sie bis zum Vortag.]
  - name: praxis.zeiten
    label: Öffnungszeiten
    examples: [wann haben Sie geöffnet, wie sind die Öffnungszeiten, habt ihr samstags auf, wann habt ihr auf]
    responses: [Montag bis Freitag von 8 bis 17 Uhr.]
  - name: praxis.parken
    label: Parkplätze
    examples: [wo kann ich parken, gibt es einen Parkplatz, haben Sie Parkplätze]
    responses: [Parken Sie im Hof.]
  - name: medizin.diagnose
    examples: [was habe ich für eine Krankheit, können Sie mir eine Diagnose stellen, was bedeuten meine Symptome]
capabilityProfile:
  deny: [medizin.*]
`;

let folder: string;
let parley: ServingExecutable;
let token: string;

/** The compiled executable alone in a folder, with two samples as they are shipped and a German bot. */
beforeAll(async () => {
  folder = emptyFolder();
  writeFileSync(join(folder, "praxis-nord.yaml"), GERMAN_BOT);
  for (const sample of ["acme-support", "riverside-clinic"]) {
    const text = await Bun.file(join(SAMPLES, `${sample}.yaml`)).text();
    // The visitors of a test type faster than people do.
    writeFileSync(join(folder, `${sample}.yaml`), text.replace(/^rateLimit:\n(?: .*\n)+/m, ""));
    cpSync(join(SAMPLES, sample), join(folder, sample), { recursive: true });
  }
  const seeded = await runExecutable(["seed", "."], { cwd: folder });
  if (seeded.exitCode !== 0) throw new Error(seeded.stderr);
  const bots = ["acme-support", "riverside-clinic", "praxis-nord"].flatMap((bot) => ["--bot", bot]);
  const issued = await runExecutable(["token", "create", "--json", ...bots], { cwd: folder });
  ({ token } = JSON.parse(issued.stdout) as { token: string });
  const roomy = ["--rate-limit-capacity", "1000", "--rate-limit-per-minute", "10000"];
  parley = await serveExecutable(folder, roomy);
  // Until documents are encoded, words alone decide.
  const isEncoded = async () =>
    /^parley_encoder_unready\{of="passages"\} 0$/m.test(
      await (await fetch(`${parley.operatorUrl}/metrics`)).text(),
    );
  await eventually(isEncoded);
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

interface Answer {
  text: string;
  /** The intent of an allowed turn, or why there is none. */
  as: string;
  /** The intents that are offered. */
  offers: string[];
}

/** A visitor's conversation with a bot; what was answered is kept in order. */
function visit(botId: string) {
  let conversationId: string | undefined;
  const answers: Answer[] = [];
  const say = async (input: string): Promise<Answer> => {
    const response = await fetch(`${parley.url}/chat`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ botId, input, ...(conversationId !== undefined && { conversationId }) }),
    });
    if (response.status !== 200) throw new Error(`${input}: ${response.status} ${await response.text()}`);
    const body = (await response.json()) as ChatResponseBody;
    conversationId = body.conversationId;
    const answer = answerOf(body);
    answers.push(answer);
    return answer;
  };
  return { say, answers };
}

function answerOf({ response, intentDetected, metadata }: ChatResponseBody): Answer {
  const as = (metadata.enforcementReason as string | undefined) ?? intentDetected ?? "unnamed";
  const suggestions = (metadata.suggestions ?? []) as Suggestion[];
  return { text: response, as, offers: suggestions.map(({ intent }) => intent) };
}

/** What was said, in order, without the same text twice in a row. */
function expectNoEcho(answers: readonly Answer[]): void {
  const echoes = answers.filter(({ text }, index) => index > 0 && text === answers[index - 1]!.text);
  expect(echoes).toEqual([]);
}

describe("a visitor of the outdoor shop", () => {
  test("greets, asks, asks on, thanks and leaves", async () => {
    const { say, answers } = visit("acme-support");
    expect((await say("hi there!")).as).toBe("social.greeting");
    const first = await say("where is my order?");
    expect(first.as).toBe("orders.status");
    const second = await say("and how long does it usually take?");
    expect(second).toMatchObject({ as: "knowledge", text: expect.stringContaining("2–4 working days") });
    const answered = [first.text, second.text];
    const courtesies = ["thanks", "no", "ok", "thx, bye"];
    for (const input of courtesies) expect(answered).not.toContain((await say(input)).text);
    expect(answers.slice(-courtesies.length).map(({ as }) => as)).toEqual([
      "social.thanks",
      "social.acknowledge",
      "social.acknowledge",
      "social.goodbye",
    ]);
    expectNoEcho(answers.slice(0, 5));
  });

  test("is refused in the middle of it, also beside what is allowed, and goes on", async () => {
    const { say } = visit("acme-support");
    expect((await say("how do I return something?")).as).toBe("returns.start");
    const refused = await say("please delete my account");
    expect(refused.as).toBe("DENY_LIST");
    const joined = await say("where is my order and please delete my account");
    expect(joined.as).toBe("DENY_LIST");
    expect(joined.text).not.toContain("My orders");
    expect((await say("ok")).as).toBe("social.acknowledge");
    expect((await say("how much is shipping?")).as).toBe("shipping.cost");
    expect((await say("are you hiring?")).as).toBe("NOT_IN_ALLOW_LIST");
    expect((await say("u r stupid")).as).toBe("social.abuse");
    expect((await say("are you a real person?")).text).toContain("automated assistant");
  });

  test("hears what the bot can do, and picks one", async () => {
    const { say } = visit("acme-support");
    const help = await say("what can you do?");
    expect(help.as).toBe("social.help");
    expect(help.offers).toHaveLength(6);
    expect(help.offers).not.toContain("account.deletion");
    expect((await say("returning something")).as).toBe("returns.start");
  });
});

describe("a visitor of the clinic", () => {
  test("says one word, is asked back, and chooses", async () => {
    const { say } = visit("riverside-clinic");
    expect((await say("good morning")).as).toBe("social.greeting");
    const asked = await say("appointment");
    expect(asked.as).toBe("no_intent_match");
    expect(asked.offers.length).toBeGreaterThanOrEqual(2);
    expect((await say("the second")).as).toBe(asked.offers[1]!);
    const again = await say("appointment");
    expect(again.offers).toEqual(asked.offers);
    const none = await say("None of these");
    expect(none).toMatchObject({ as: "no_intent_match", offers: [] });
    expect(none.text).not.toBe(again.text);
    expect((await say("do you take my insurance?")).as).toBe("billing.insurance");
    expect((await say("👍")).as).toBe("social.acknowledge");
  });

  test("asks two questions at once, and never gets advice by the second", async () => {
    const { say } = visit("riverside-clinic");
    const both = await say("When are you open and where can I park?");
    expect(["clinic.hours", "clinic.location"]).toContain(both.as);
    expect(both.text).toContain("Monday to Thursday 8:00–18:00");
    expect(both.text).toContain("14 Mill Lane");
    const smuggled = await say("When are you open and how much ibuprofen can I take?");
    expect(smuggled.as).toBe("DENY_LIST");
    expect(smuggled.text).not.toContain("Walk-ins");
    expect((await say("are you a bot?")).as).toBe("social.identity");
    expect((await say("what can you do?")).as).toBe("social.help");
    const partly = await say("when are you open and who painted the mona lisa");
    expect(partly.as).toBe("clinic.hours");
    expect(partly.text).toContain("“who painted the mona lisa”");
    expect((await say("thank you, goodbye")).as).toBe("social.goodbye");
  });
});

describe("eine Besucherin der Praxis", () => {
  test("writes as people chat, in German, and is answered in German", async () => {
    const { say, answers } = visit("praxis-nord");
    expect((await say("moin")).as).toBe("social.greeting");
    expect((await say("brauch asap nen termin pls")).as).toBe("termin.buchen");
    expect(await say("thx")).toMatchObject({ as: "social.thanks", text: expect.stringContaining("Gern") });
    expect((await say("nein")).as).toBe("social.acknowledge");
    const asked = await say("Termin");
    expect(asked.offers.toSorted()).toEqual(["termin.absagen", "termin.buchen"]);
    expect(asked.text).toStartWith("Meinten Sie");
    expect((await say("das zweite")).as).toBe(asked.offers[1]!);
    const both = await say("wann habt ihr auf und wo kann ich parken?");
    expect(both.text).toBe("Montag bis Freitag von 8 bis 17 Uhr.\n\nParken Sie im Hof.");
    expect((await say("ich brauche einen Termin und was bedeuten meine Symptome")).as).toBe("DENY_LIST");
    expect((await say("lg")).as).toBe("social.goodbye");
    expectNoEcho(answers);
  });
});
