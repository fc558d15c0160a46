import { expect, test } from "bun:test";

import { LEAST_PASSWORD_LENGTH } from "../../../src/console/parts/fields.tsx";
import * as access from "../../../src/domain/operator/access.ts";

test("the console asks for passwords as long as the API does", () => {
  expect(LEAST_PASSWORD_LENGTH).toBe(access.LEAST_PASSWORD_LENGTH);
});
