import { expect, test } from "bun:test";

import { osUser } from "../../../src/domain/os-user.ts";

const passwd = "root:x:0:0:root:/root:/bin/bash\nann:x:1000:1000:Ann:/home/ann:/bin/sh\n";

test.each([
  [
    "the name of the user's number, whatever the environment says",
    { uid: 1000, env: { USER: "bob" } },
    "ann",
  ],
  ["the number that no name is known of", { uid: 4711, env: {} }, "uid 4711"],
  ["who became root", { uid: 0, env: { SUDO_USER: "ann" } }, "ann as root"],
  ["root itself", { uid: 0, env: { SUDO_USER: "root" } }, "root"],
  ["nobody who cannot have become root", { uid: 1000, env: { SUDO_USER: "bob" } }, "ann"],
  ["the name that Windows gives", { uid: undefined, env: { USERNAME: "Ann" } }, "Ann"],
])("is %s", (_, system, name) => {
  expect(osUser({ passwd, ...system })).toBe(name);
});
