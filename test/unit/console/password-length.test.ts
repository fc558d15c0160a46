import { expect, test } from "bun:test";

import { MIN_PASSWORD_LENGTH } from "../../../src/console/parts/fields.tsx";
import * as access from "../../../src/domain/operator/access.ts";

test("the console asks for passwords as long as the API does", () => {
  expect(MIN_PASSWORD_LENGTH).toBe(access.MIN_PASSWORD_LENGTH);
});
