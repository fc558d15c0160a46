import { expect, test } from "bun:test";

import { PAGES } from "../../../src/console/pages.ts";
import { findHelpTopic, helpAsHtml } from "../../../src/help/help.ts";

test.each(PAGES.map(({ title, help }) => [title, help]))("%s has its help at %s", (_, help) => {
  const [name = "", id] = help.split("#");
  const topic = findHelpTopic(name);
  expect(topic).toBeDefined();
  if (id !== undefined) expect(helpAsHtml(topic!)).toContain(` id="${id}"`);
});
