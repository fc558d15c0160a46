import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";

import { parse } from "yaml";

import type { ImprovePage } from "../../src/domain/operator/improve.ts";
import { type BotsOfService, NEWLY_ANSWERED, PREVIEW, serveBots } from "../support/console-bots.ts";
import { HOSTILE } from "../support/console-data.ts";
import { type ConsolePage, openConsole } from "../support/console-page.ts";
import { apiProblem, type ConsoleService, startConsoleService } from "../support/console-service.ts";
import { eventually } from "../support/eventually.ts";

setDefaultTimeout(120_000);

const BOT = "/bots/acme-support";

let service: ConsoleService;
let bots: BotsOfService;
beforeEach(async () => {
  service = await startConsoleService();
  bots = serveBots(service);
});
afterEach(() => service[Symbol.asyncDispose]());

const opened = (path: string): Promise<ConsolePage> => openConsole(service.url, path);
const draftHas = (text: string) => eventually(() => expect(bots.draft?.yaml).toContain(text));

describe("forms and YAML, side by side", () => {
  test("a form writes into the YAML and keeps its comments", async () => {
    await using open = await opened(`${BOT}/profile`);
    const { page } = open;
    await page.getByRole("checkbox", { name: "Deny jobs.openings" }).check();
    await draftHas("- jobs.openings");
    expect(bots.draft!.yaml).toContain(
      "- payments.card_details # nobody should type a card number into a chat",
    );
    await page.locator(".cm-content").getByText("jobs.openings").first().waitFor();
    expect(open.troubles).toEqual([]);
  });

  test("a way to a person is switched on, and what is chosen stands in the YAML", async () => {
    await using open = await opened(`${BOT}/handoff`);
    const { page } = open;
    await page.getByRole("checkbox", { name: "Let visitors ask for a person" }).uncheck();
    await eventually(() => expect(bots.draft?.yaml).not.toContain("\nhandoff:"));
    await page.getByRole("checkbox", { name: "Let visitors ask for a person" }).check();
    await page.getByRole("checkbox", { name: "e-mail address" }).uncheck();
    await page.getByLabel("Operators").selectOption("false");
    await eventually(() =>
      expect(parse(bots.draft!.yaml)).toMatchObject({
        handoff: { fields: ["name", "message"], live: false },
      }),
    );
    await page.getByRole("checkbox", { name: "name" }).uncheck();
    expect(await page.getByRole("checkbox", { name: "message", exact: true }).isDisabled()).toBe(true);
    await page.getByRole("checkbox", { name: "Show opening hours" }).check();
    await page.getByLabel("Time zone").fill("Nowhere");
    await page.getByText("For example Europe/Berlin.").waitFor();
    await page.getByLabel("Time zone").fill("Europe/Berlin");
    await eventually(() =>
      expect(parse(bots.draft!.yaml)).toMatchObject({
        handoff: { fields: ["message"], hours: { timezone: "Europe/Berlin", open: ["Mo-Fr 09:00-17:00"] } },
      }),
    );
    expect(open.troubles).toEqual([]);
  });

  test("what the hand-off says may go, one after the other, and it stays switched on", async () => {
    await using open = await opened(`${BOT}/handoff`);
    const { page } = open;
    const isOn = page.getByRole("checkbox", { name: "Let visitors ask for a person" });
    await isOn.uncheck();
    await isOn.check();
    const hours = page.getByRole("checkbox", { name: "Show opening hours" });
    await hours.check();
    await page.getByLabel("Time zone").waitFor();
    await hours.uncheck();
    expect(await isOn.isChecked()).toBe(true);
    await eventually(() => expect(parse(bots.draft!.yaml).handoff).toEqual({}));
    expect(open.troubles).toEqual([]);
  });

  test("an intent is edited where it stands, after one that has no name", async () => {
    const yaml = bots.versions.at(-1)!.yaml.replace("\nintents:\n", "\nintents:\n  - examples: [unnamed]\n");
    bots.draft = { yaml, baseVersion: 2, by: "ops", revision: 1 };
    const at = parse(yaml).intents.findIndex(({ name }: { name: string }) => name === "orders.status");
    await using open = await opened(`${BOT}/intents/orders.status`);
    const { page } = open;
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("orders.status");
    await page.getByLabel("Description").fill("where an order is");
    await draftHas("description: where an order is");
    expect(parse(bots.draft.yaml).intents[at].description).toBe("where an order is");
    expect(open.troubles).toEqual([]);
  });

  test.each(["basics", "profile", "intents", "handoff", "theme", "tests", "knowledge", "versions"])(
    "a viewer reads once, at %s, why nothing can be edited",
    async (tab) => {
      service.role = "viewer";
      await using open = await opened(`${BOT}/${tab}`);
      const why = open.page.locator("#why-bots-write");
      await why.waitFor();
      expect(await why.textContent()).toContain("You are a viewer");
    },
  );

  test("an entry of a list that is emptied stays while it is written anew, and goes when it is left empty", async () => {
    await using open = await opened(`${BOT}/intents/orders.status`);
    const { page } = open;
    const examples = () =>
      parse(bots.draft?.yaml ?? bots.versions.at(-1)!.yaml).intents.find(
        ({ name }: { name: string }) => name === "orders.status",
      ).examples as string[];
    const before = examples();
    const first = page.getByLabel("example 1", { exact: true });
    await first.fill("");
    await page.keyboard.type("my parcel");
    await eventually(() => expect(examples()).toEqual(["my parcel", ...before.slice(1)]));
    expect(await first.evaluate((field) => field === document.activeElement)).toBe(true);
    await first.fill("");
    await page.getByLabel("Name", { exact: true }).focus();
    await eventually(() => expect(examples()).toEqual(before.slice(1)));
    expect(await first.inputValue()).toBe(before[1]!);
    expect(open.troubles).toEqual([]);
  });

  test("on a phone, the part that is shown is in sight among the tabs, and no word of a heading is broken", async () => {
    await using open = await openConsole(service.url, `${BOT}/versions`, {
      viewport: { width: 390, height: 800 },
    });
    const { page } = open;
    const tab = page.locator(".tabs [aria-current]");
    for (const part of ["versions", "theme", "basics"]) {
      await open.open(`${BOT}/${part}`);
      await tab.waitFor();
      await eventually(async () => {
        const { x, width } = (await tab.boundingBox())!;
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x + width).toBeLessThanOrEqual(390);
      });
    }
    await open.open(`${BOT}/theme`);
    const heading = page.getByRole("heading", { name: "Theme" });
    await heading.waitFor();
    expect((await heading.boundingBox())!.height).toBeLessThan(30);
  });

  test("what is typed into the YAML shows in the form", async () => {
    await using open = await opened(`${BOT}/basics`);
    const { page } = open;
    await page.locator(".cm-content").getByText("Acme Support").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" and more");
    await eventually(async () =>
      expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Acme Support and more"),
    );
    await draftHas("name: Acme Support and more");
    expect(open.troubles).toEqual([]);
  });

  test("a mistake is shown at its line, and the form shows the draft before it", async () => {
    await using open = await opened(`${BOT}/basics`);
    const { page } = open;
    bots.mistakes = [{ line: 12, column: 7, message: "this is no text", severity: "error" }];
    await page.locator(".cm-content").getByText("Acme Support").click();
    await page.keyboard.press("End");
    await page.keyboard.type(': "');
    await page.getByText("The YAML has an error").waitFor();
    await page.getByText("this is no text").first().waitFor();
    await page.getByText("Line 12").waitFor();
    await page.locator(".cm-lintRange-error").first().waitFor();
    const name = page.getByLabel("Name", { exact: true });
    expect([await name.inputValue(), await name.getAttribute("readonly")]).toEqual(["Acme Support", ""]);
  });

  test("the editor completes from the schema of bot files", async () => {
    await using open = await opened(`${BOT}/basics`);
    const { page } = open;
    // Without the schema there is no completion; it comes after the page.
    await page.waitForLoadState("networkidle");
    await page.locator(".cm-content").getByText("maxInputLength").click();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.keyboard.type("suggestedQuestionsS");
    await page.locator(".cm-tooltip-autocomplete").getByText("suggestedQuestionsStyle").click();
    await page.locator(".cm-content").getByText("suggestedQuestionsStyle").waitFor();
    await page.keyboard.type("pi");
    await page.locator(".cm-tooltip-autocomplete").getByText("pills").click();
    await draftHas("suggestedQuestionsStyle: pills");
    expect(open.troubles).toEqual([]);
  });

  test("letters typed into the editor are no keys of the console", async () => {
    await using open = await opened(`${BOT}/basics`);
    await open.page.locator(".cm-content").getByText("Acme Support").click();
    await open.page.keyboard.type("z?gi");
    expect(await open.page.locator("dialog").count()).toBe(0);
    expect(new URL(open.page.url()).pathname).toBe(`${BOT}/basics`);
  });
});

describe("renaming an intent", () => {
  const published = () => bots.versions.at(-1)!.yaml;
  const isPublishedAgain = () => eventually(() => expect(bots.draft).toBeUndefined());
  const profile = () => parse(bots.draft!.yaml).capabilityProfile as { deny: string[] };

  test("waits until the field is left, takes along what names it, and is taken back as a whole", async () => {
    await using open = await opened(`${BOT}/intents/account.deletion`);
    const { page } = open;
    const name = page.getByLabel("Name", { exact: true });
    const isChanged = page.getByText("draft 3", { exact: true });
    await name.fill("");
    await name.pressSequentially("account.er");
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    expect(await isChanged.count()).toBe(0);
    await name.pressSequentially("ase");
    await name.press("Enter");
    await page.getByText("account.deletion is now called account.erase").waitFor();
    expect(new URL(page.url()).pathname).toBe(`${BOT}/intents/account.erase`);
    await isChanged.waitFor();
    await draftHas("name: account.erase");
    expect(published().match(/account\.deletion/g)).toHaveLength(3);
    expect(bots.draft!.yaml).toBe(published().replaceAll("account.deletion", "account.erase"));
    await page.getByRole("button", { name: /Undo/ }).click();
    await isPublishedAgain();
    expect(new URL(page.url()).pathname).toBe(`${BOT}/intents/account.deletion`);
    expect(await name.inputValue()).toBe("account.deletion");
    expect(open.troubles).toEqual([]);
  });

  test("asks where a denial would be lifted, and whoever just goes on keeps it", async () => {
    await using open = await opened(`${BOT}/intents/legal.advice`);
    const { page } = open;
    const name = page.getByLabel("Name", { exact: true });
    const question = page.getByRole("dialog", { name: "Rename legal.advice to store.lawyer?" });
    await name.fill("store.lawyer");
    await name.press("Enter");
    await question
      .getByText("It is now denied by legal.*. With the new name it would be allowed by store.*.")
      .waitFor();
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    expect([await name.inputValue(), bots.draft]).toEqual(["legal.advice", undefined]);
    await name.fill("store.lawyer");
    await name.press("Enter");
    await question.waitFor();
    await page.keyboard.press("Enter");
    await draftHas("name: store.lawyer");
    expect(profile().deny).toContain("store.lawyer");
    await page.getByText("legal.advice is now called store.lawyer").waitFor();
    await page.keyboard.press("z");
    await isPublishedAgain();
    await name.fill("store.lawyer");
    await name.press("Enter");
    await question.getByRole("button", { name: "Rename and allow it" }).click();
    await draftHas("name: store.lawyer");
    expect(profile().deny).not.toContain("store.lawyer");
    expect(open.troubles).toEqual([]);
  });

  test("asks where it would be denied, and whoever just goes on leaves it as it is", async () => {
    await using open = await opened(`${BOT}/intents/store.hours`);
    const { page } = open;
    const name = page.getByLabel("Name", { exact: true });
    const question = page.getByRole("dialog", { name: "Rename store.hours to legal.hours?" });
    await name.fill("legal.hours");
    await name.press("Enter");
    await question
      .getByText("It is now allowed by store.*. With the new name it would be denied by legal.*.")
      .waitFor();
    await page.keyboard.press("Enter");
    await question.waitFor({ state: "detached" });
    expect([await name.inputValue(), bots.draft]).toEqual(["store.hours", undefined]);
    expect(open.troubles).toEqual([]);
  });
});

describe("two editors of one bot", () => {
  test("the later one sees both changes, and puts theirs on top", async () => {
    await using open = await opened(`${BOT}/basics`);
    const { page } = open;
    await page.locator(".cm-content").waitFor();
    const theirs = bots.versions.at(-1)!.yaml.replace("monthlyMessageCap: 50000", "monthlyMessageCap: 60000");
    bots.draft = { yaml: theirs, baseVersion: 2, by: "dev@acme", revision: 9 };
    await page.getByLabel("Name", { exact: true }).fill("Acme Help");
    await page.getByText("Changes by dev@acme").waitFor();
    expect(bots.draft.yaml).toBe(theirs);
    await page.getByRole("button", { name: /Apply my changes/ }).click();
    await draftHas("name: Acme Help");
    expect(bots.draft.yaml).toContain("monthlyMessageCap: 60000");
  });
});

describe("publishing", () => {
  test("waits until each refusal that would be answered is ticked", async () => {
    bots.preview = { ...PREVIEW, newlyAnswered: [NEWLY_ANSWERED] };
    await using open = await opened("/improve/ig_0");
    const { page } = open;
    await page.getByRole("radio", { name: /payments.methods/ }).check();
    const publish = page.getByRole("button", { name: /Publish version 3/ });
    await page.getByText("First tick the refused message that would be answered.").waitFor();
    expect(await publish.isDisabled()).toBe(true);
    const heads = await page.locator("tr.group th").allTextContents();
    expect(heads[0]).toStartWith("Refused by the live version, answered by this draft");
    await page.getByRole("checkbox", { name: /legal advice/ }).check();
    await publish.click();
    await page.getByText(/Version 3 is live/).waitFor();
    expect(bots.setAside).toMatchObject([{ as: "taught" }]);
  });

  test("a taught group leaves the list, the next one is opened, and undoing brings it back", async () => {
    await using open = await opened("/improve/ig_3");
    const { page } = open;
    const listed = page.locator("[data-group]");
    await page.getByRole("heading", { name: /rain shell/ }).waitFor();
    const before = await listed.evaluateAll((rows) => rows.map((row) => row.getAttribute("data-group")));
    const count = page.getByText(`${before.length} groups,`);
    await count.waitFor();
    await page.getByLabel("Select all").check();
    await page.getByLabel("Another intent").last().selectOption("payments.methods");
    await page.getByRole("button", { name: /Publish version 3/ }).click();
    await page.getByText(/Version 3 is live/).waitFor();
    await page.getByText(`${before.length - 1} groups,`).waitFor();
    expect(await page.getByRole("link", { name: /rain shell/ }).count()).toBe(0);
    const next = before[before.indexOf("ig_3") + 1];
    expect(new URL(page.url()).pathname).toBe(`/improve/${next}`);
    await page.getByRole("button", { name: "Undo" }).click();
    await count.waitFor();
    expect(await page.getByRole("link", { name: /rain shell/ }).count()).toBe(1);
    expect(open.troubles).toEqual([]);
  });

  test("leaves what is out of scope as tests in the draft, and takes that back", async () => {
    await using open = await opened("/improve/ig_3");
    const { page } = open;
    await page.getByRole("heading", { name: /rain shell/ }).waitFor();
    await page.keyboard.press("o");
    await page.getByText("Marked as out of scope, with 2 tests added to the draft.").waitFor();
    await draftHas("decision: no_intent_match");
    expect(bots.setAside).toMatchObject([{ as: "out-of-scope" }]);
    await page.keyboard.press("z");
    await eventually(() => expect([bots.setAside, bots.draft]).toEqual([[], undefined]));
  });

  test("says so where a group that was ignored cannot be taken back, and leaves it gone", async () => {
    await using open = await opened("/improve/ig_3");
    const { page } = open;
    await page.getByRole("heading", { name: /rain shell/ }).waitFor();
    await page.keyboard.press("i");
    service.answers.set("DELETE /improve/set-aside", () =>
      apiProblem(503, "STORAGE_UNAVAILABLE", "The disk is full."),
    );
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Not undone: The disk is full.").waitFor();
    expect(bots.setAside).toMatchObject([{ as: "ignore" }]);
    expect(await page.getByRole("link", { name: /rain shell/ }).count()).toBe(0);
    expect(open.troubles).toEqual([]);
  });

  test("an ignored group goes at once, and comes back where the server refuses", async () => {
    service.answers.set("POST /improve/set-aside", () => new Response(null, { status: 503 }));
    await using open = await opened("/improve/ig_3");
    const { page } = open;
    await page.getByRole("heading", { name: /rain shell/ }).waitFor();
    await page.keyboard.press("i");
    await page.getByText(/Not set aside/).waitFor();
    expect(await page.getByRole("link", { name: /rain shell/ }).count()).toBe(1);
  });

  test("a viewer sees what would change, and why nothing can be published", async () => {
    service.role = "viewer";
    await using open = await opened("/improve/ig_0");
    const { page } = open;
    await page
      .getByText(/You are a viewer/)
      .first()
      .waitFor();
    expect(await page.getByRole("button", { name: /Publish/ }).getAttribute("aria-disabled")).toBe("true");
    expect(await page.getByRole("radio", { name: "A new intent" }).isDisabled()).toBe(true);
  });
});

describe("a new intent that was begun by its key", () => {
  test("has the focus in its name, so that letters typed next are no keys of the page", async () => {
    await using open = await opened("/improve/ig_3");
    const { page } = open;
    await page.getByRole("heading", { name: /rain shell/ }).waitFor();
    await page.keyboard.press("n");
    const name = page.getByLabel("Name", { exact: true });
    await eventually(async () =>
      expect(await name.evaluate((field) => field === document.activeElement)).toBe(true),
    );
    await page.keyboard.type("wi.dear");
    expect(await name.inputValue()).toBe("wi.dear");
    await draftHas("name: wi.dear");
    await page.getByRole("heading", { name: /rain shell/ }).waitFor();
    expect(open.troubles).toEqual([]);
  });

  test("stands in the form again after a reload, and goes as a whole", async () => {
    await using open = await opened("/improve/ig_3");
    const { page } = open;
    await page.getByRole("heading", { name: /rain shell/ }).waitFor();
    await page.keyboard.press("n");
    await draftHas("can I put the rain shell in the dryer");
    await open.open("/improve/ig_3");
    const name = page.getByLabel("Name", { exact: true });
    await name.waitFor();
    await name.fill("care.dryer");
    await page.getByLabel("Answer (Markdown)").fill("Never.");
    const isDryer = ({ examples }: { examples: string[] }) => examples.includes("dryer?");
    await eventually(() =>
      expect(parse(bots.draft!.yaml).intents.filter(isDryer)).toEqual([
        expect.objectContaining({ name: "care.dryer", responses: ["Never."] }),
      ]),
    );
    await open.open("/improve/ig_3");
    expect(await page.getByLabel("Answer (Markdown)").inputValue()).toBe("Never.");
    await page.getByRole("button", { name: "Leave them unassigned" }).click();
    await eventually(() => expect(bots.draft).toBeUndefined());
    expect(open.troubles).toEqual([]);
  });
});

describe("answers that did not help", () => {
  test("and came from the documents lead to the documents", async () => {
    const improve = service.answers.get("GET /improve")!;
    service.answers.set("GET /improve", async (request) => {
      const page = (await (await improve(request)).json()) as ImprovePage;
      const groups = page.groups.map((group) => ({ ...group, kind: "unhelpful", intent: "knowledge" }));
      return Response.json({ ...page, groups });
    });
    await using open = await opened("/improve/ig_7");
    const { page } = open;
    await page.getByText("Answered from the documents.").waitFor();
    await page.getByRole("link", { name: "Change the document" }).click();
    await page.waitForURL(`**${BOT}/knowledge`);
  });

  test("stand first, with what was asked, answered and said of it", async () => {
    await using open = await opened("/improve");
    const { page } = open;
    const heads = page.locator(".list-head");
    await heads.first().waitFor();
    expect(await heads.allTextContents()).toEqual(["Rated as unhelpful", "Not answered"]);
    await page.getByText("“I have no such e-mail”").waitFor();
    await page.getByText("You can follow every parcel").first().waitFor();
    const change = page.getByRole("link", { name: "Change the answer" });
    expect(await change.getAttribute("href")).toBe(`${BOT}/intents/orders.status`);
    const conversation = page.locator("a.times").first();
    expect(await conversation.getAttribute("href")).toBe("/conversations/cv_8_0?turn=rq_8_0");
    await page.getByRole("button", { name: "Did not help" }).click();
    await page.waitForURL(/outcome=wrong%2Cunmatched%2Casked%2Crefused/);
    expect(await heads.allTextContents()).toEqual(["Not answered"]);
    expect(open.troubles).toEqual([]);
  });

  test("teach those alone that are chosen, and are set aside", async () => {
    await using open = await opened("/improve/ig_8");
    const { page } = open;
    const outOfScope = page.getByRole("button", { name: /Out of scope/ });
    await outOfScope.waitFor();
    expect(await outOfScope.isDisabled()).toBe(true);
    await page.getByLabel(/has not moved for a week/).check();
    expect(await outOfScope.isDisabled()).toBe(false);
    await page.getByLabel("Another intent").last().selectOption("payments.methods");
    await draftHas("my parcel has not moved for a week");
    expect(bots.draft!.yaml).not.toContain("order 48213 is late");
    await page.getByRole("button", { name: /Ignore/ }).click();
    await eventually(() => expect(bots.setAside).toMatchObject([{ as: "ignore" }]));
    expect(bots.setAside[0]!.texts).toHaveLength(3);
  });

  test("that are only likely wrong are not counted in the menu, and the page says so", async () => {
    const answer = service.answers.get("GET /improve")!;
    const isWrong = "wrong" as const;
    service.answers.set("GET /improve", async (request) => {
      const response = await answer(request);
      const { groups, ...page } = (await response.json()) as ImprovePage;
      const wrong = { ...groups.at(-1)!, id: "ig_wrong", kind: isWrong, turns: 4 };
      return Response.json({ ...page, groups: [...groups, wrong] });
    });
    await using open = await opened("/improve");
    await open.page
      .getByText("The menu and the overview leave out what is only likely wrong: 1 group, 4 messages.")
      .waitFor();
  });

  test("where texts are not stored, it says why nothing can be shown", async () => {
    service.answers.set("GET /improve", () =>
      Response.json({ groups: [], looked: 3, turns: 3, notKept: 3, setAside: 0 }),
    );
    await using open = await opened("/improve");
    await open.page.getByText(/3 messages cannot be grouped: their texts are not stored/).waitFor();
    await open.page.getByText(/Messages are not stored on this server/).waitFor();
  });
});

describe("a draft with errors", () => {
  test("is checked for nothing else, and the operator is told to correct the errors first", async () => {
    const mistakes = [{ message: "unknown field `nam`", severity: "error", line: 2 }];
    service.answers.set("POST /bots/acme-support/preview", () =>
      Response.json({
        kind: "result",
        result: {
          ...PREVIEW,
          mistakes,
          tests: [],
          messages: 0,
          newlyAnswered: [],
          worse: [],
          improved: [],
          moved: [],
        },
      }),
    );
    service.answers.set("POST /bots/acme-support/review", () =>
      apiProblem(422, "INVALID_REQUEST", "The bot has 1 mistake."),
    );
    const yaml = bots.versions.at(-1)!.yaml.replace("name: ", "nam: ");
    bots.draft = { yaml, baseVersion: 2, by: "ops", revision: 1 };
    await using open = await opened(`${BOT}/changes`);
    const { page } = open;
    await page.getByText("Nothing else was checked: correct the errors first.").waitFor();
    expect(await page.locator(".guard .ok").count()).toBe(0);
    expect(await page.locator(".guard code").allTextContents()).toEqual(["nam"]);
    await open.open(`${BOT}/intents`);
    await page.getByText("Not cross-validated: correct the errors first.").waitFor();
    expect(await page.getByText("INVALID_REQUEST").count()).toBe(0);
  });
});

describe("forms that say what visitors get", () => {
  test("in observe mode, no intent counts as refused", async () => {
    await using open = await opened(`${BOT}/profile`);
    const { page } = open;
    await page.locator(".matrix .badge.refused").first().waitFor();
    await page.getByText("Observe", { exact: true }).click();
    await page.getByText("Observed: would be refused").first().waitFor();
    expect(await page.locator(".matrix .badge.refused").count()).toBe(0);
  });

  test("an example that is in the list already stays in the field, with a message", async () => {
    await using open = await opened(`${BOT}/intents/orders.status`);
    const { page } = open;
    const known = await page.getByLabel("example 1", { exact: true }).inputValue();
    const another = page.getByLabel("Another example");
    await another.fill(known);
    await another.press("Enter");
    await page.getByText("This example is in the list already.").waitFor();
    expect([await another.inputValue(), bots.draft]).toEqual([known, undefined]);
  });

  test("an intent without a label shows its name in words, as visitors read it", async () => {
    const yaml = bots.versions.at(-1)!.yaml.replace(/^ *label: deleting an account\n/m, "");
    bots.draft = { yaml, baseVersion: 2, by: "ops", revision: 1 };
    await using open = await opened(`${BOT}/intents`);
    const row = open.page.getByRole("row", { name: /account\.deletion/ });
    await row.waitFor();
    expect(await row.innerText()).toContain("account deletion");
  });
});

describe("versions", () => {
  test("an older page is asked for once, however often the button is pressed", async () => {
    const held = Promise.withResolvers<void>();
    const first = service.answers.get("GET /bots/acme-support/versions")!;
    const pagesAsked: (string | null)[] = [];
    service.answers.set("GET /bots/acme-support/versions", async (request) => {
      const { items } = await (await first(request)).json();
      const cursor = new URL(request.url).searchParams.get("cursor");
      pagesAsked.push(cursor);
      if (cursor === null) return Response.json({ items: items.slice(0, 1), next: "older" });
      await held.promise;
      return Response.json({ items: items.slice(1), next: null });
    });
    await using open = await opened(`${BOT}/versions`);
    const older = open.page.getByRole("button", { name: "Older" });
    await older.evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    held.resolve();
    await older.waitFor({ state: "detached" });
    const numbers = open.page.getByRole("region", { name: "Versions, newest first" }).getByRole("rowheader");
    expect(await numbers.allTextContents()).toEqual(["2", "1"]);
    expect(pagesAsked).toEqual([null, "older"]);
  });

  test("show what each changed; restoring one makes it the draft, which is checked before it is live", async () => {
    await using open = await opened(`${BOT}/versions/1..2`);
    const { page } = open;
    await page.getByText("maxInputLength: 1500").waitFor();
    await page.getByRole("button", { name: "Restore version 1" }).click();
    await page.waitForURL(`**${BOT}/changes`);
    await page.getByText("Version 1 is the draft now. Publish it to make it live.").waitFor();
    expect(bots.versions).toHaveLength(2);
  });
});

describe("trying", () => {
  test("shows what both versions make of a message, and why, as it is typed", async () => {
    bots.draft = {
      yaml: bots.versions.at(-1)!.yaml.replace("Acme Support", "Acme Help"),
      baseVersion: 2,
      by: "ops",
      revision: 1,
    };
    await using open = await opened("/try/acme-support");
    const { page } = open;
    await page.getByLabel("Your message").fill("d e l e t e my account");
    await page.getByText("Would be refused").first().waitFor();
    await page.getByLabel("Your message").fill("do you send a paper invoice");
    await page.keyboard.press("Enter");
    await page.getByText("The draft decides differently").waitFor();
    await page.getByRole("button", { name: /Save as a test/ }).click();
    await draftHas("utterance: do you send a paper invoice");
    expect(open.troubles).toEqual([]);
  });
});

describe("hostile texts", () => {
  test.each([
    "/improve/ig_7",
    "/improve/ig_8",
    "/bots",
    `${BOT}/basics`,
    `${BOT}/intents`,
    `${BOT}/intents/orders.status`,
    `${BOT}/tests`,
    `${BOT}/versions/1..3`,
    `${BOT}/knowledge`,
    `${BOT}/changes`,
    "/try/acme-support",
  ])("stay text in %s", async (path) => {
    const name = JSON.stringify(HOSTILE);
    const hostile = bots.versions[1]!.yaml.replace("name: Acme Support", `name: ${name}`)
      .replace("- where is my order\n", `- ${name}\n`)
      .replace("label: where an order is", `label: ${name}`);
    bots.versions.push({ yaml: hostile, by: HOSTILE, note: HOSTILE });
    bots.draft = { yaml: `${hostile}\n# ${HOSTILE}\n`, baseVersion: 3, by: HOSTILE, revision: 1 };
    bots.preview = { ...PREVIEW, worse: [{ ...NEWLY_ANSWERED, text: HOSTILE }] };
    bots.documents = [{ id: "x", source: HOSTILE, title: HOSTILE, passages: 1, isUploaded: true }];
    await using open = await opened(path);
    await eventually(async () =>
      expect(await open.page.locator("main").textContent()).toContain("<img src=x"),
    );
    expect(await open.page.title()).not.toBe("pwned");
    expect(await open.page.locator("main img, main script").count()).toBe(0);
    expect(open.troubles).toEqual([]);
  });
});

describe("what would change", () => {
  const withText = (from: string, to: string) => {
    const yaml = bots.versions.at(-1)!.yaml;
    expect(yaml).toContain(from);
    bots.draft = {
      yaml: yaml.replaceAll(from, to),
      baseVersion: bots.versions.length,
      by: "ops",
      revision: 1,
    };
  };

  test("shows the lines that differ, also where nothing decides otherwise", async () => {
    withText("name: Acme Support", "name: Acme Help");
    await using open = await opened(`${BOT}/changes`);
    const diff = open.page.locator(".changed-text");
    await diff.locator(".ln.add", { hasText: "name: Acme Help" }).waitFor();
    expect(await diff.locator(".ln.del").textContent()).toContain("name: Acme Support");
    expect(await diff.locator("summary").textContent()).toBe("In the YAML: 1 line added, 1 removed");
    expect(open.troubles).toEqual([]);
  });

  test("folds them where they are many", async () => {
    withText("      - ", "      -  ");
    await using open = await opened(`${BOT}/changes`);
    const summary = open.page.locator(".changed-text > summary");
    await summary.waitFor();
    expect(await open.page.locator(".ln.add").first().isVisible()).toBe(false);
    await summary.click();
    await open.page.locator(".ln.add").first().waitFor();
  });
});

describe("what can be taken back", () => {
  test("is said for two minutes, longer where somebody points at it; the key means it for ten seconds only", async () => {
    await using open = await openConsole(service.url, "/audit", { viewport: { width: 390, height: 800 } });
    const { page } = open;
    await page.clock.install();
    const draft = bots.versions.at(-1)!.yaml.replace("name: Acme Support", "name: Acme Help");
    bots.draft = { yaml: draft, baseVersion: bots.versions.length, by: "ops", revision: 1 };
    await open.open(`${BOT}/changes`);
    await page.getByRole("button", { name: "Discard the draft" }).click();
    const toast = page.locator(".toast");
    await toast.waitFor();
    const { x, width, height } = (await toast.boundingBox())!;
    expect([x >= 0, x + width <= 390, height < 120]).toEqual([true, true, true]);
    expect(await toast.locator("kbd").count()).toBe(1);
    await page.clock.runFor(60_000);
    expect(await toast.locator("kbd").count()).toBe(0);
    await toast.hover();
    await page.clock.runFor(300_000);
    expect(await toast.count()).toBe(1);
    await page.mouse.move(5, 5);
    await page.clock.runFor(119_000);
    expect(await toast.count()).toBe(1);
    await page.clock.runFor(2000);
    await eventually(async () => expect(await toast.count()).toBe(0));
  });

  test("can be dismissed", async () => {
    const draft = bots.versions.at(-1)!.yaml.replace("name: Acme Support", "name: Acme Help");
    bots.draft = { yaml: draft, baseVersion: bots.versions.length, by: "ops", revision: 1 };
    await using open = await opened(`${BOT}/changes`);
    await open.page.getByRole("button", { name: "Discard the draft" }).click();
    await open.page.locator(".toast").getByRole("button", { name: "Close" }).click();
    await eventually(async () => expect(await open.page.locator(".toast").count()).toBe(0));
  });
});

test("Improve takes a period that it does not know for the usual one", async () => {
  const asked: (string | null)[] = [];
  const answer = service.answers.get("GET /improve")!;
  service.answers.set("GET /improve", (request) => {
    asked.push(new URL(request.url).searchParams.get("since"));
    return answer(request);
  });
  await using open = await opened("/improve?since=abc");
  await open.page.locator("[data-group]").first().waitFor();
  expect(await open.page.getByLabel("Period").inputValue()).toBe("30");
  expect(asked.every((since) => /^\d+$/.test(since ?? ""))).toBe(true);
});
