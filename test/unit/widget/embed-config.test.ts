import { expect, test } from "bun:test";

import { fetchEmbedConfig } from "../../../src/widget/loader/embed-config.ts";

test("nobody asks for the configuration of a widget that is gone", async () => {
  let requests = 0;
  using server = Bun.serve({
    port: 0,
    fetch() {
      requests++;
      return Response.json({ botName: "Acme" });
    },
  });
  const url = server.url.href;
  const fail = () => expect.unreachable();
  expect(await fetchEmbedConfig(url, new AbortController().signal, fail)).toMatchObject({ botName: "Acme" });
  expect(await fetchEmbedConfig(url, AbortSignal.abort(), fail)).toBeUndefined();
  expect(requests).toBe(1);
});
