import { afterAll, beforeAll, expect, test } from "bun:test";

import fc from "fast-check";
import type { ComponentChildren, VNode } from "preact";

import { renderBlocks } from "../../../src/widget/markdown/markdown.tsx";
import { HOSTILE_TEXTS } from "../../support/hostile-texts.ts";

beforeAll(() => Object.assign(globalThis, { document: { baseURI: "https://shop.example/page" } }));
afterAll(() => Reflect.deleteProperty(globalThis, "document"));

const LABELS = { showImage: "Show image", table: "Table", code: "Code", copy: "Copy", copied: "Copied" };

/** Elements as text, like HTML: for the eye, never for a browser. */
function show(node: ComponentChildren): string {
  if (Array.isArray(node)) return node.map(show).join("");
  if (typeof node !== "object" || node === null)
    return typeof node === "boolean" ? "" : String(node ?? "").replaceAll("<", "&lt;");
  const { type, props } = node as VNode<Record<string, unknown>>;
  if (typeof type === "function") return showComponent(type, props);
  const { children, ...attributes } = props;
  const shown = ["href", "class", "start"].filter((name) => attributes[name] !== undefined);
  const text = shown.map((name) => ` ${name}=${String(attributes[name])}`).join("");
  return `<${type}${text}>${show(children)}</${type}>`;
}

function showComponent(type: unknown, props: Record<string, unknown>): string {
  const isClass = (type as { prototype?: { render?: unknown } }).prototype?.render !== undefined;
  if (!isClass) return show((type as (props: unknown) => ComponentChildren)(props));
  const instance = new (type as new (props: unknown) => { render: () => ComponentChildren; state: unknown })(
    props,
  );
  instance.state ??= {};
  return show(instance.render());
}

const render = (markdown: string) => show(renderBlocks(markdown, LABELS, 0));

test.each([
  ["plain text", "<p>plain text</p>"],
  ["one\ntwo\n\nthree", "<p>one<br></br>two</p><p>three</p>"],
  [
    "**b** __b__ *i* _i_ ~~d~~",
    "<p><strong>b</strong> <strong>b</strong> <em>i</em> <em>i</em> <del>d</del></p>",
  ],
  ["**b *and i***", "<p><strong>b <em>and i</em></strong></p>"],
  ["snake_case_name and 2 * 3 * 4", "<p>snake_case_name and 2 * 3 * 4</p>"],
  ["`a *b*` and ``a ` b``", "<p><code>a *b*</code> and <code>a ` b</code></p>"],
  ["\\*not\\*", "<p>*not*</p>"],
  ["**open", "<p>**open</p>"],
  ["# Title", "<p class=heading>Title</p>"],
  ["---", "<hr></hr>"],
  ["> a\n> b", "<blockquote><p>a<br></br>b</p></blockquote>"],
  ["- a\n- b", "<ul><li>a</li><li>b</li></ul>"],
  ["- a\n\n- b", "<ul><li>a</li><li>b</li></ul>"],
  ["3. a\n4) b", "<ol start=3><li>a</li><li>b</li></ol>"],
  [
    "1. a\n   - b\n     - c\n2. d",
    "<ol start=1><li><p>a</p><ul><li><p>b</p><ul><li>c</li></ul></li></ul></li><li>d</li></ol>",
  ],
  ["- a\n    - four spaces", "<ul><li><p>a</p><ul><li>four spaces</li></ul></li></ul>"],
  ["text\n- a", "<p>text</p><ul><li>a</li></ul>"],
  ["```js\n*x* <b>\n```\nafter", "<div class=code><pre><code>*x* &lt;b></code></pre></div><p>after</p>"],
  ["```\nunclosed", "<div class=code><pre><code>unclosed</code></pre></div>"],
  [
    "| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 |",
    "<div class=table><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr><tr><td>3</td><td></td></tr></tbody></table></div>",
  ],
  ["a | b", "<p>a | b</p>"],
  ["[x](https://a.example/b(c))", "<p><a href=https://a.example/b(c)>x</a></p>"],
  ["[x](mailto:a@b.example) [y](tel:+49)", "<p><a href=mailto:a@b.example>x</a> <a href=tel:+49>y</a></p>"],
  ["[x](/returns)", "<p><a href=https://shop.example/returns>x</a></p>"],
  ["see https://a.example/x?y=1.", "<p>see <a href=https://a.example/x?y=1>https://a.example/x?y=1</a>.</p>"],
  ["<https://a.example>", "<p><a href=https://a.example/>https://a.example</a></p>"],
  ["![alt](https://a.example/i.png)", "<p><a href=https://a.example/i.png>Show image: alt</a></p>"],
  ["<b>x</b>", "<p>&lt;b>x&lt;/b></p>"],
  ["[write to a@b.example](/x)", "<p><a href=https://shop.example/x>write to a@b.example</a></p>"],
  ["[https://a.example](/x)", "<p><a href=https://shop.example/x>https://a.example</a></p>"],
])("%p is %p", (markdown, expected) => {
  expect(render(markdown)).toBe(expected);
});

test.each([
  ["Write to help@acme.example.", "mailto:help@acme.example"],
  ["jo_an.doe+shop@mail.acme.example", "mailto:jo_an.doe+shop@mail.acme.example"],
  ["Call +49 30 901820-17 now", "tel:+493090182017"],
  ["Call (555) 123-4567.", "tel:5551234567"],
  ["1-800-555-0199, day and night", "tel:18005550199"],
  ["020 7946 0958", "tel:02079460958"],
  ["0800/123 4567", "tel:08001234567"],
  ["01 23 45 67 89", "tel:0123456789"],
])("an address that can be written to or called is a link: %p", (text, url) => {
  expect(/href=([^>]*)>/.exec(render(text))?.[1]).toBe(url);
});

test.each([
  "On 01.02.2026, 2026-02-01, 01/02/2026 or 01-02-2026.",
  "It costs 1.250,00 or 0.75 or € 1 200 300.",
  "Order 4711 0815 1234, article 978-3-16-148410-0.",
  "From 08:00 to 17:30, version 1.2.3.4, 100-200 pieces, 2020 - 2026.",
  "an@example, @name, a@b",
  "IBAN DE89 3704 0044 0532 0130 00",
])("%p holds nobody's address", (text) => {
  expect(render(text)).toBe(`<p>${text}</p>`);
});

test("no link of a hostile text leads to anything but http, https, mailto or tel", () => {
  for (const text of HOSTILE_TEXTS) {
    for (const [, href] of render(text).matchAll(/<a href=([^>]*)>/g))
      expect(href).toMatch(/^(https?|mailto|tel):/);
  }
});

test("whatever the text, its words are kept, and no element but the known ones is made", () => {
  const pieces = fc.constantFrom(
    ..."*_`~[]()!<>#|-+.\n \t:\\\"'0a".split(""),
    "https://x.example",
    "javascript:",
    "1. ",
    "```",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      const text = parts.join("");
      expect(render(`${text}\n\nlast words`)).toContain("last words");
    }),
    { numRuns: 1000 },
  );
});

test("nests no deeper than it must", () => {
  expect(render(`${"> ".repeat(5000)}deep`).length).toBeLessThan(20_000);
  expect(render("*".repeat(5000)).length).toBeLessThan(20_000);
});
