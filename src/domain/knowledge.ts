import { type Static, Type } from "@sinclair/typebox";

import { namedStrict, oneOf, strictObject, textUpTo } from "./schemas.ts";

export const PATH_PREFIX_PATTERN = "^/";

/** A file or folder inside the bot file's folder, and where visitors find it. */
const PathSource = namedStrict("KnowledgePath", {
  path: textUpTo(1000, "A file or folder, counted from the bot file's folder and inside it"),
  url: Type.Optional(
    textUpTo(2000, "Where visitors find it (http or https); of a folder, what its files lie below"),
  ),
  exclude: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: 50,
      description:
        "Files and folders of a folder that are left out, such as `*.png`, `drafts` or `2019/**`; without a `/` wherever they lie",
    }),
  ),
});

/** The pages that a sitemap lists. */
const SitemapSource = namedStrict("KnowledgeSitemap", {
  sitemap: textUpTo(2000, "Address of a sitemap or of an index of sitemaps (http or https)"),
  only: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 1000, pattern: PATH_PREFIX_PATTERN }), {
      minItems: 1,
      maxItems: 50,
      description: "What the paths of its pages must begin with, such as `/help/`; absent: all of them",
    }),
  ),
});

/** One place that documents come from. */
export const KnowledgeEntry = Type.Union([
  textUpTo(2000, "A file, a folder that ends in `/`, or the address of a page"),
  PathSource,
  SitemapSource,
]);
export type KnowledgeEntry = Static<typeof KnowledgeEntry>;

const KnowledgeSources = Type.Array(KnowledgeEntry, { minItems: 1, maxItems: 100 });

/** The documents that a bot answers from, as its operator names them. */
export const KnowledgeSettings = Type.Union(
  [
    KnowledgeSources,
    strictObject({
      sources: KnowledgeSources,
      answer: Type.Optional(
        oneOf(["extract", "model"], {
          description:
            "extract: the documents' own sentences; model: put in words by a model. Absent: model where the bot's responder is one",
        }),
      ),
    }),
  ],
  {
    $id: "KnowledgeSettings",
    description: "Documents that answer what no intent covers: files, folders, pages, sitemaps",
  },
);
export type KnowledgeSettings = Static<typeof KnowledgeSettings>;
