import { basename, join } from "node:path";

import { asset, minifyCss, shortHash, type WidgetAsset } from "../widget/build.ts";

const HERE = import.meta.dir;
const JAVASCRIPT = "text/javascript; charset=utf-8";
const STYLES = "text/css; charset=utf-8";

/** In order of precedence, lowest first. The styles of pages come last. */
const STYLE_FILES = [
  "tokens",
  "ground",
  "shell",
  "controls",
  "facts",
  "tables",
  "charts",
  "receipt",
  "panes",
  "code",
  "states",
  "help",
  "pages",
  "small-screens",
];

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

async function buildStyles(): Promise<WidgetAsset> {
  const ofPages = Array.from(new Bun.Glob("pages/**/*.css").scanSync(HERE)).toSorted();
  const files = [...STYLE_FILES.map((name) => `styles/${name}.css`), ...ofPages];
  const texts = await Promise.all(files.map((file) => Bun.file(join(HERE, file)).text()));
  const styles = minifyCss(texts.join("\n"));
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
