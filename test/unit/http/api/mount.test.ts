import { expect, test } from "bun:test";

import type { RequestId } from "../../../../src/domain/ids.ts";
import { type Caller, route } from "../../../../src/http/api/frame.ts";
import { mountApi } from "../../../../src/http/api/mount.ts";

const KEY: Caller = {
  kind: "key",
  id: "k",
  label: "nightly",
  createdBy: "ann",
  permissions: new Set(["bots.write"]),
};

/** What is asked of a route that takes long, and when its connection was told to stay. */
async function ask(caller: Caller | undefined): Promise<{ status: number; kept: string[] }> {
  const kept: string[] = [];
  const slow = route({
    method: "POST",
    path: "/slow",
    permission: "bots.write",
    summary: "Trains",
    answer: () => void kept.push("answered"),
  });
  const app = mountApi([slow], {
    gate: {
      assertOpen: async () => {},
      identify: async () => caller,
      invitation: async () => "Sign in.",
    },
    log: { warn: () => {}, error: () => {} },
    factsOf: () => ({
      requestId: "rq_1" as RequestId,
      clientAddress: "127.0.0.1",
      keepOpen: () => kept.push("kept open"),
    }),
  });
  const request = new Request("http://localhost/api/v1/slow", { method: "POST" });
  return { status: (await app.handle(request)).status, kept };
}

test("a route that answers with JSON may take longer than an idle connection may", async () => {
  expect(await ask(KEY)).toEqual({ status: 204, kept: ["kept open", "answered"] });
});

test("whoever is refused keeps no connection open", async () => {
  expect((await ask(undefined)).kept).toEqual([]);
});
