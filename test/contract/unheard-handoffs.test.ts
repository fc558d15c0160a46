import { afterEach, describe, expect, test } from "bun:test";

import { Webhook } from "standardwebhooks";

import type { FlagValues } from "../../src/config/config.ts";
import { shopBot } from "../support/bots.ts";
import { runInTerminal } from "../support/cli.ts";
import { eventually } from "../support/eventually.ts";
import { mailServer } from "../support/mail-server.ts";
import { signIn } from "../support/operators.ts";
import { type TestParley, startParley } from "../support/parley.ts";
import { Receiver, WEBHOOK_SECRET } from "../support/webhook-receiver.ts";

const NO_PORTS = ["--port", "0", "--operator-port", "0"];
const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

async function start(flags: FlagValues, handoff: object = {}): Promise<TestParley> {
  const parley = await startParley({
    bots: [shopBot({ handoff })],
    flags,
    parts: { env: { HOOK_SECRET: WEBHOOK_SECRET } },
  });
  opened.push(parley);
  return parley;
}

const hooks = (url: string) => JSON.stringify({ crm: { url, secretEnv: "HOOK_SECRET" } });

async function askForPerson(parley: TestParley): Promise<string> {
  const response = await fetch(`${parley.url}/handoff`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${parley.token}` },
    body: JSON.stringify({ botId: "shop", name: "Ada", message: "call me" }),
  });
  return ((await response.json()) as { handoffId: string }).handoffId;
}

const seriesOf = async (parley: TestParley, name: string) => {
  const metrics = await (await fetch(`${parley.server.operatorUrl}/metrics`)).text();
  return Object.fromEntries(
    [...metrics.matchAll(new RegExp(`^${name}(\\S*) (\\d+)$`, "gm"))].map(([, labels, value]) => [
      labels!,
      Number(value),
    ]),
  );
};
const failedBy = (parley: TestParley) => seriesOf(parley, "parley_handoff_notices_failed");

describe("a notice of a hand-off that fails", () => {
  test("shows in the metrics, in the health and count that the console reads, and in `doctor`, until it is told", async () => {
    using receiver = new Receiver();
    receiver.answer = () => new Response("no", { status: 500 });
    const parley = await start({ webhooks: hooks(receiver.url) });
    const owner = await signIn(parley, "owner");
    const countOf = async () => (await owner.ask("GET", "/handoffs/count")).json();
    const findingsOf = async () => {
      const { findings } = (await (await owner.ask("GET", "/health")).json()) as {
        findings: { check: string; message: string }[];
      };
      return findings.filter(({ check }) => check === "handoffs");
    };
    const doctor = async () => {
      const env = { ...parley.env, HOOK_SECRET: WEBHOOK_SECRET, PARLEY_WEBHOOKS: hooks(receiver.url) };
      return (await runInTerminal(["doctor", "--quick", ...NO_PORTS], { env, now: Date.now() })).stdout;
    };
    expect(await failedBy(parley)).toEqual({
      '{channel="webhook",state="waiting"}': 0,
      '{channel="webhook",state="given-up"}': 0,
      '{channel="mail",state="waiting"}': 0,
      '{channel="mail",state="given-up"}': 0,
    });
    await askForPerson(parley);
    await eventually(async () =>
      expect(await failedBy(parley)).toMatchObject({ '{channel="webhook",state="waiting"}': 1 }),
    );
    expect(await countOf()).toEqual({ waiting: 1, failedNotices: 1 });
    expect(await findingsOf()).toMatchObject([
      {
        message: expect.stringMatching(
          /`crm` did not receive notices of a hand-off.*tried again.*status 500/,
        ),
      },
    ]);
    expect(await doctor()).toMatch(
      /mend +handoffs +`crm` did not receive notices of a hand-off[^]*webhook test crm/,
    );
    receiver.answer = () => new Response("ok");
    const [failed] = await parley.store.outbox.list({ limit: 1 });
    await parley.store.outbox.resend(failed!.id, Date.now());
    await eventually(async () =>
      expect((await parley.store.outbox.list({ limit: 1 }))[0]!.state).toBe("delivered"),
    );
    expect(await failedBy(parley)).toMatchObject({ '{channel="webhook",state="waiting"}': 0 });
    expect(await countOf()).toEqual({ waiting: 1, failedNotices: 0 });
    expect(await findingsOf()).toEqual([]);
    expect(await doctor()).not.toContain("was not told");
  });

  test("and is given up counts until somebody has closed the hand-off", async () => {
    using receiver = new Receiver();
    receiver.answer = () => new Response("", { status: 410 });
    const parley = await start({ webhooks: hooks(receiver.url) });
    const id = await askForPerson(parley);
    await eventually(async () =>
      expect(await failedBy(parley)).toMatchObject({ '{channel="webhook",state="given-up"}': 1 }),
    );
    expect(await parley.store.outbox.listFailedNotices()).toMatchObject([
      { channel: "webhook", target: "crm", state: "given-up", notices: 1 },
    ]);
    await parley.store.handoffs.close(id, Date.now());
    expect(await parley.store.outbox.listFailedNotices()).toEqual([]);
  });
});

test("visitors who wait for a person are a metric", async () => {
  const parley = await start({});
  const waiting = async () => (await seriesOf(parley, "parley_handoffs_waiting"))[""];
  expect(await waiting()).toBe(0);
  await askForPerson(parley);
  const second = await askForPerson(parley);
  expect(await waiting()).toBe(2);
  await parley.store.handoffs.close(second, Date.now());
  expect(await waiting()).toBe(1);
});

describe("the way to a hand-off", () => {
  const operatorUrl = "https://desk.shop.example";

  test("stands in the webhook and in the e-mail where the console's address is known", async () => {
    using receiver = new Receiver();
    const { url, letters, server } = await mailServer();
    const flags = { webhooks: hooks(receiver.url), smtp: url, mailFrom: "parley@shop.example", operatorUrl };
    const parley = await start(flags, { email: "team@shop.example" });
    const id = await askForPerson(parley);
    await eventually(() => expect([receiver.received.length, letters.length]).toEqual([1, 1]));
    server.close();
    const link = `${operatorUrl}/handoffs/${id}`;
    expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({ data: { handoffId: id, link } });
    expect(letters[0]!.replaceAll("=\n", "")).toEndWith(`\nAnswer: ${link}`);
  });

  test("is left out where it is not", async () => {
    using receiver = new Receiver();
    const parley = await start({ webhooks: hooks(receiver.url) });
    await askForPerson(parley);
    await eventually(() => expect(receiver.received).toHaveLength(1));
    expect((JSON.parse(receiver.received[0]!.body) as { data: object }).data).not.toHaveProperty("link");
  });
});

describe("`parley webhook test`", () => {
  const run = (args: string[], url: string, secret: string | undefined = WEBHOOK_SECRET) =>
    runInTerminal(["webhook", "test", ...args], {
      now: Date.now(),
      env: { PARLEY_WEBHOOKS: hooks(url), ...(secret !== undefined && { HOOK_SECRET: secret }) },
    });

  test("sends a signed event, prints the status, and ends with 0", async () => {
    using receiver = new Receiver();
    receiver.answer = () => new Response(null, { status: 202 });
    const { exitCode, stdout, stderr } = await run(["crm"], receiver.url);
    expect(stdout).toMatch(/^crm: accepted with status 202 in \d+ ms$/m);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const [{ headers, body }] = receiver.received as [Receiver["received"][number]];
    expect(new Webhook(WEBHOOK_SECRET).verify(body, headers)).toEqual({
      type: "webhook.test",
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      data: { webhook: "crm" },
    });
  });

  test("of a receiver that does not take it says why, ends with 3, and prints no secret", async () => {
    using receiver = new Receiver();
    receiver.answer = () => new Response("no", { status: 500 });
    const failed = await run(["--json"], receiver.url);
    expect(JSON.parse(failed.stdout)).toEqual({
      webhooks: [{ name: "crm", error: "the receiver answered with status 500" }],
    });
    expect(failed.exitCode).toBe(3);
    const unsigned = await run([], receiver.url, "canary");
    expect(unsigned.stdout).toContain("crm: the environment variable HOOK_SECRET is not `whsec_`");
    expect(unsigned.exitCode).toBe(3);
    expect(receiver.received).toHaveLength(1);
    expect(JSON.stringify([failed, unsigned])).not.toMatch(/canary|from=parley|c2VjcmV0/);
  });

  test("of a name that there is not ends with 2, with the closest one", async () => {
    const { exitCode, stderr } = await run(["crmm"], "https://crm.example/");
    expect(stderr).toContain("no webhook `crmm`; did you mean `crm`?");
    expect(exitCode).toBe(2);
  });
});

describe("`parley mail test`", () => {
  const withMail = (url: string) => ({
    PARLEY_SMTP: url,
    PARLEY_MAIL_FROM: "Parley <parley@shop.example>",
  });

  test("sends an e-mail to whom it is told, else to the sender, and ends with 0", async () => {
    const { url, letters, server } = await mailServer();
    const env = withMail(url);
    const named = await runInTerminal(["mail", "test", "--to", "team@shop.example"], { env });
    const plain = await runInTerminal(["mail", "test", "--json"], { env });
    server.close();
    expect(named).toMatchObject({ exitCode: 0, stdout: `${url} accepted an e-mail for team@shop.example\n` });
    expect(JSON.parse(plain.stdout)).toEqual({ server: url, to: "parley@shop.example", isTaken: true });
    expect(letters.map((letter) => /^To: (.*)$/m.exec(letter)![1])).toEqual([
      "team@shop.example",
      "parley@shop.example",
    ]);
  });

  test("that is refused says so, ends with 3, and prints no password", async () => {
    const { url, server } = await mailServer("554 no such person");
    const env = withMail(url.replace("smtp://", "smtp://ada:canary@"));
    const { exitCode, stdout, stderr } = await runInTerminal(["mail", "test"], { env });
    server.close();
    expect(exitCode).toBe(3);
    expect(stderr).toContain("error: smtp://***@127.0.0.1");
    expect(stdout + stderr).not.toContain("canary");
  });

  test("without a mail server ends with 2, naming what is missing", async () => {
    const { exitCode, stderr } = await runInTerminal(["mail", "test"], { env: {} });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: "error: e-mails need --smtp and --mail-from\n",
    });
  });
});

describe("`parley doctor` and the mail server", () => {
  const examine = (parley: TestParley, smtp: string, ...args: string[]) =>
    runInTerminal(["doctor", ...NO_PORTS, ...args], {
      env: { ...parley.env, PARLEY_SMTP: smtp, PARLEY_MAIL_FROM: "parley@shop.example" },
    });

  test("it is tried: one that answers is fine, and nothing is sent", async () => {
    const { url, letters, server } = await mailServer();
    const parley = await start({});
    expect((await examine(parley, url)).stdout).toContain(`${url} answers`);
    expect(letters).toEqual([]);
    server.close();
  });

  test("one that is not there is to be mended, and --quick leaves it out", async () => {
    const { url, server } = await mailServer();
    await new Promise((resolve) => server.close(resolve));
    const parley = await start({});
    const secret = url.replace("smtp://", "smtp://ada:canary@");
    const { stdout } = await examine(parley, secret);
    expect(stdout).toMatch(
      /mend +mail +smtp:\/\/\*\*\*@127\.0\.0\.1:\d+: .*\((ECONNREFUSED|ESOCKET|ECONNECTION)\)/,
    );
    expect(stdout).not.toContain("canary");
    expect((await examine(parley, secret, "--quick")).stdout).not.toMatch(/^\w+ +mail /m);
  });
});
