import { basename, join } from "node:path";

import { asset, minifyCss, shortHash, type WidgetAsset } from "../widget/build.ts";

const HERE = import.meta.dir;
const JAVASCRIPT = "text/javascript; charset=utf-8";
const STYLES = "text/css; charset=utf-8";

/** Layers of the style sheets with their files; a later layer has precedence whatever the specificity of its selectors. */
const LAYERS = {
  tokens: ["styles/tokens.css"],
  base: ["styles/base.css"],
  parts: ["shell", "controls", "facts", "tables", "charts", "receipt", "panes", "code", "states", "help"].map(
    (name) => `styles/${name}.css`,
  ),
  screens: ["styles/screens.css"],
  pages: ["styles/pages.css", ...Array.from(new Bun.Glob("pages/**/*.css").scanSync(HERE)).toSorted()],
};

/** Bundles the console's scripts and splits off what is loaded on demand. Bun names the files by their content. */
async function buildScripts(): Promise<WidgetAsset[]> {
  const { outputs } = await Bun.build({
    entrypoints: [join(HERE, "main.tsx")],
    target: "browser",
    format: "esm",
    minify: true,
    splitting: true,
    naming: { entry: "console-[hash].[ext]", chunk: "part-[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const scripts = outputs.filter(({ kind }) => kind !== "sourcemap");
  return Promise.all(
    scripts.map(async (output) => asset(basename(output.path), JAVASCRIPT, await output.text(), true)),
  );
}

/** All style sheets as one, each in its layer. */
export async function joinStyles(): Promise<string> {
  const layers = await Promise.all(
    Object.entries(LAYERS).map(async ([layer, files]) => {
      const texts = await Promise.all(files.map((file) => Bun.file(join(HERE, file)).text()));
      return `@layer ${layer} {${texts.join("\n")}}`;
    }),
  );
  return minifyCss([`@layer ${Object.keys(LAYERS).join(", ")};`, ...layers].join("\n"));
}

async function buildStyles(): Promise<WidgetAsset> {
  const styles = await joinStyles();
  return asset(`console-${shortHash(styles)}.css`, STYLES, styles, true);
}

const attribute = (name: string, value: string) => `${name}="${value}"`;

/** The HTML page for all addresses of the console. It only refers to the two files, so anybody may read it. */
function pageOf(assets: readonly WidgetAsset[]): WidgetAsset {
  const named = (extension: string) =>
    assets.find(({ path }) => path.startsWith("console-") && path.endsWith(extension))!;
  const [script, styles] = [named(".js"), named(".css")];
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Parley</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" ${attribute("href", `/assets/${styles.path}`)} ${attribute("integrity", styles.integrity)}>
<script type="module" ${attribute("src", `/assets/${script.path}`)} ${attribute("integrity", script.integrity)}></script>
</head>
<body>
<div id="console"><noscript>The console of Parley needs JavaScript. Everything that it does, the operator API does as well.</noscript></div>
</body>
</html>
`;
  return asset("index.html", "text/html; charset=utf-8", text, false);
}

/** Bundles the console from the sources; takes about a second. */
export async function buildConsoleAssets(): Promise<WidgetAsset[]> {
  const assets = [...(await buildScripts()), await buildStyles()];
  return [...assets, pageOf(assets)];
}
