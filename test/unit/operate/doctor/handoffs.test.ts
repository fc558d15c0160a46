import { describe, expect, test } from "bun:test";

import type { BotId } from "../../../../src/domain/ids.ts";
import { SecretUrl } from "../../../../src/domain/secret-url.ts";
import { judgeHandoffs } from "../../../../src/operate/doctor/handoffs.ts";
import { judgeWebhookBots, judgeWebhookSecrets } from "../../../../src/operate/doctor/webhooks.ts";
import { botWith } from "../../../support/bots.ts";

const CRM = { url: new SecretUrl("https://crm.example/"), secretEnv: "CRM_SECRET" };
const NO_MAIL = { smtp: undefined, mailFrom: undefined };
const MAIL = { smtp: {} as SecretUrl, mailFrom: "parley@acme.example" };

describe("hand-offs", () => {
  test("that a configured webhook and an address are told of are fine", () => {
    const bots = [
      botWith({}),
      botWith({ handoff: {} }),
      botWith({ handoff: { webhook: "crm", email: "team@acme.example" } }),
    ];
    expect(judgeHandoffs(bots, { webhooks: { crm: CRM }, ...MAIL })).toEqual([]);
  });

  test("of a webhook that is not configured are named for each name, with the closest one", () => {
    const bots = [
      botWith({ id: "a", handoff: { webhook: "crmm" } }),
      botWith({ id: "b", handoff: { webhook: "crmm" } }),
      botWith({ id: "c", handoff: { webhook: "desk" } }),
    ];
    expect(judgeHandoffs(bots, { webhooks: { crm: CRM }, ...NO_MAIL }).map(({ message }) => message)).toEqual(
      [
        "`a`, `b`: `handoff.webhook` is `crmm`, which these settings do not have; did you mean `crm`?",
        "`c`: `handoff.webhook` is `desk`, which these settings do not have",
      ],
    );
  });

  test("that an address is told of need a mail server, and what it sends from", () => {
    const bots = [botWith({ handoff: { email: "team@acme.example" } })];
    const messageOf = (mail: Partial<typeof MAIL>) =>
      judgeHandoffs(bots, { webhooks: {}, ...NO_MAIL, ...mail }).map(({ message }) => message);
    const told = "`acme`: `handoff.email` should be notified of hand-offs, but no e-mail is sent without";
    expect(messageOf({})).toEqual([`${told} --smtp and --mail-from`]);
    expect(messageOf({ smtp: MAIL.smtp })).toEqual([`${told} --mail-from`]);
  });
});

describe("a webhook", () => {
  const bytes = (count: number) => Buffer.alloc(count, 255).toString("base64");

  test.each([
    [`whsec_${bytes(24)}`, undefined],
    [`whsec_${bytes(64)}`, undefined],
    [undefined, "is not set"],
    ["", "is not set"],
    [bytes(32), "is not `whsec_` and 24 to 64 bytes in Base64"],
    [`whsec_${bytes(23)}`, "is not `whsec_` and 24 to 64 bytes in Base64"],
    [`whsec_${bytes(65)}`, "is not `whsec_` and 24 to 64 bytes in Base64"],
    ["whsec_please-change-this-secret-now-please", "is not `whsec_` and 24 to 64 bytes in Base64"],
  ])("with the secret %p: %p", (secret, fault) => {
    const findings = judgeWebhookSecrets({ crm: CRM }, { CRM_SECRET: secret });
    expect(findings.map(({ message }) => message)).toEqual(
      fault === undefined ? [] : [`\`crm\`: the environment variable CRM_SECRET ${fault}`],
    );
    if (secret) expect(JSON.stringify(findings)).not.toContain(secret);
  });

  test("may be told of bots that there are", () => {
    const webhooks = { all: CRM, some: { ...CRM, bots: ["acme" as BotId, "acne" as BotId] } };
    expect(judgeWebhookBots(webhooks, ["acme", "acne"])).toEqual([]);
    expect(judgeWebhookBots(webhooks, ["acme"]).map(({ message }) => message)).toEqual([
      "`some`: `bots` names `acne`, and there is no such bot; did you mean `acme`?",
    ]);
  });
});
