import { expect, test } from "bun:test";

import type { RequestId } from "../../../src/domain/ids.ts";
import { problemResponse } from "../../../src/http/errors.ts";

test("a defect shows callers nothing of its cause", async () => {
  const defect = new Error("secret of the service", { cause: new Error("a deeper secret") });
  const response = problemResponse(defect, "rq_1" as RequestId);
  expect(response.status).toBe(500);
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({ status: 500, code: "INTERNAL_ERROR", requestId: "rq_1" });
  expect(text).not.toMatch(/secret|at \w+ \(|\.ts/);
});
