import { describe, expect, test } from "bun:test";

import { UnreadableError } from "../../../../src/knowledge/sources/document.ts";
import { readHtml } from "../../../../src/knowledge/sources/formats/html.ts";
import { readMarkdown } from "../../../../src/knowledge/sources/formats/markdown.ts";
import { DOCUMENT_LIMITS } from "../../../../src/knowledge/sources/limits.ts";

/** Sections with text, as `path: lines`. */
function outline(html: string): string[] {
  return readHtml(html, DOCUMENT_LIMITS)
    .sections.filter(({ blocks }) => blocks.length > 0)
    .map(
      ({ heading, anchor, blocks }) =>
        `${heading.join(" > ")}${anchor === undefined ? "" : `#${anchor}`}: ${blocks.flatMap(({ lines }) => lines).join(" | ")}`,
    );
}

describe("an HTML page", () => {
  test("is read by its headings, with their ids", () => {
    expect(outline("<h1>A</h1><p>one<h2 id=b>B</h2>two<h3>C</h3>three<h2>D</h2><p>four<p>five")).toEqual([
      "A: one",
      "A > B#b: two",
      "A > B > C: three",
      "A > D: four | five",
    ]);
  });

  test("takes the id of a section, or of a link within, for its heading's", () => {
    expect(outline("<section id=s><h2>A</h2>x</section><h2><a name=t></a>B¶</h2>y")).toEqual([
      "A#s: x",
      "B#t: y",
    ]);
  });

  test("leaves out menus, tools, scripts and what is hidden", () => {
    const noise = [
      "<nav>n</nav><aside>n</aside><script>n</script><style>n</style><template>n</template><noscript>n</noscript>",
      "<button>n</button><select><option>n</select><form>n</form><svg><title>n</title></svg><iframe>n</iframe>",
      "<div hidden>n</div><span aria-hidden=true>n</span><header>n</header><footer>n</footer><!-- n -->",
    ];
    expect(outline(`<h1>A</h1>${noise.join("")}<p>text`)).toEqual(["A: text"]);
  });

  test("is its main part alone, with the header inside", () => {
    expect(outline("<p>n<main><header><h1>A</h1></header>text</main><p>n")).toEqual(["A: text"]);
    expect(outline("<p>n<div role=main>text</div><p>n")).toEqual([": text"]);
    expect(outline("<p>n<article>text</article><p>n")).toEqual([": text"]);
  });

  test("is read whole where its main part is empty, or all of it is a form", () => {
    expect(outline("<main></main><p>text")).toEqual([": text"]);
    expect(outline("<form><p>text</form>")).toEqual([": text"]);
  });

  test("has its folded questions as headings, and goes on behind them", () => {
    expect(outline("<h2>Q</h2><details><summary>One?</summary>Yes.</details><p>after")).toEqual([
      "Q > One?: Yes.",
      "Q: after",
    ]);
    expect(outline("<dl><dt>One?<dd>Yes.<dt>Two?<dd>No.</dl>after")).toEqual([
      "One?: Yes.",
      "Two?: No.",
      ": after",
    ]);
    const accordion = "<h3><button>One?</button></h3><div hidden role=region>Yes.</div>";
    expect(outline(accordion)).toEqual(["One?: Yes."]);
  });

  test("keeps lists recognisable, also inside each other", () => {
    expect(outline("<ol><li>a<li><p>b</p><p>c</p><ul><li>d</ul></ol>")).toEqual([": 1. a | 2. b c |   - d"]);
    expect(outline("<ol start=4><li>a</ol><ul><li>b</ul>")).toEqual([": 4. a | - b"]);
    expect(outline("<ul><li><h3>A</h3><p>a</p><li><h3>B</h3>b</ul>")).toEqual(["A: a", "B: b"]);
  });

  test("puts the cells of a row in one line", () => {
    expect(outline("<table><tr><th>Day<th>Open<tr><td><p>Mon</p><td>8<br>18</table>")).toEqual([
      ": Day – Open | Mon – 8 18",
    ]);
  });

  test("keeps line breaks, entities and what pictures show; white space is one space", () => {
    expect(outline("<p>a\n  b&nbsp;c<br>d &amp; &lt;e&gt; <img alt='a map'>")).toEqual([
      ": a b c | d & <e> a map",
    ]);
    expect(outline("<pre>one  two\nthree</pre>")).toEqual([": one two | three"]);
  });

  test("names its title and its own address", () => {
    const html = "<title>A &amp; B</title><link rel=canonical href=https://a.example/b><p>text";
    expect(readHtml(html, DOCUMENT_LIMITS)).toMatchObject({
      title: "A & B",
      canonical: "https://a.example/b",
    });
  });

  test.each([
    ["100,000 elements inside each other", "<div>".repeat(100_000)],
    ["lists inside each other", "<ul><li>".repeat(50_000)],
  ])("is refused with %s", (_name, html) => {
    expect(() => readHtml(html, DOCUMENT_LIMITS)).toThrow(UnreadableError);
  });

  test("is refused with more text than allowed", () => {
    const limits = { depth: 10, characters: 1000 };
    expect(() => readHtml("<p>word ".repeat(300), limits)).toThrow("has more than 1000 characters of text");
    expect(() => readHtml("word ".repeat(300), limits)).toThrow("has more than 1000 characters of text");
  });
});

describe("Markdown", () => {
  const read = (markdown: string) =>
    readMarkdown(markdown, DOCUMENT_LIMITS)
      .filter(({ blocks }) => blocks.length > 0)
      .map(({ heading, anchor, blocks }) => ({
        heading,
        anchor,
        lines: blocks.flatMap(({ lines }) => lines),
      }));

  test("gives headings the anchors that GitHub gives them, or the one that is written", () => {
    const markdown = "# Größe & Maß\n\na\n\n## Q?\n\nb\n\n## Q?\n\nc\n\n## D {#own}\n\nd\n\n### E\n\ne";
    expect(read(markdown)).toEqual([
      { heading: ["Größe & Maß"], anchor: "größe--maß", lines: ["a"] },
      { heading: ["Größe & Maß", "Q?"], anchor: "q", lines: ["b"] },
      { heading: ["Größe & Maß", "Q?"], anchor: "q-1", lines: ["c"] },
      { heading: ["Größe & Maß", "D"], anchor: "own", lines: ["d"] },
      { heading: ["Größe & Maß", "D", "E"], anchor: "e", lines: ["e"] },
    ]);
  });

  test("has tables, lists and HTML", () => {
    const markdown =
      "| a | b |\n|---|---|\n| 1 | 2 |\n\n1. one\n2. **two**\n\n<script>n</script>\n<p>html</p>";
    expect(read(markdown).flatMap(({ lines }) => lines)).toEqual([
      "a – b",
      "1 – 2",
      "1. one",
      "2. two",
      "html",
    ]);
  });
});
