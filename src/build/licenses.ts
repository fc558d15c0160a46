import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

import { name as parley, version } from "../../package.json" with { type: "json" };
import { CONSOLE, PROGRAM, WIDGET } from "./entry-points.ts";

const NOTICE = "docs/NOTICE.md";
const LICENSE_TEXTS = "docs/licenses";
const RULE = "=".repeat(80);

/** A package inside the executable, and the terms that it comes with. */
export interface PackageLicense {
  /** As in `better-sqlite3 13.2.0 (MIT)`. */
  title: string;
  /** Whole. */
  text: string;
}

interface PackageManifest {
  name: string;
  version: string;
  license?: string;
  dependencies?: Record<string, string>;
}

/** The output of `parley --licenses`: Parley's licence, the notice, the licence of every package inside, and the texts that the notice names. */
export async function licenseReport(): Promise<string> {
  const packages = await packageLicenses();
  const named = readdirSync(LICENSE_TEXTS).toSorted();
  return [
    `${parley} ${version}, built with Bun ${Bun.version}\n\n${readFileSync("LICENSE", "utf8")}`,
    readFileSync(NOTICE, "utf8"),
    ...packages.map(({ title, text }) => `${title}\n\n${text}`),
    ...named.map((file) => `${basename(file, ".txt")}\n\n${readFileSync(join(LICENSE_TEXTS, file), "utf8")}`),
  ]
    .map((section) => `${section.trim()}\n`)
    .join(`\n${RULE}\n\n`);
}

/** The licence of every package that is bundled, and of what those depend on: a package may carry that within its own files. */
export async function packageLicenses(): Promise<PackageLicense[]> {
  const bundled = await bundledFolders();
  const folders = new Set<string>();
  for (const folder of bundled) addWithDependencies(folder, folders);
  return [...folders]
    .map((folder) => readLicense(folder, bundled.has(folder)))
    .toSorted((one, other) => (one.title < other.title ? -1 : 1));
}

/** Folders of the packages whose files the bundler takes into the executable, the widget or the console. */
async function bundledFolders(): Promise<Set<string>> {
  const { metafile } = await Bun.build({
    entrypoints: [...PROGRAM, ...WIDGET, ...CONSOLE],
    target: "bun",
    format: "esm",
    loader: { ".css": "text" },
    metafile: true,
  });
  const files = Object.values(metafile!.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  return new Set(files.map(packageFolderOf).filter((folder) => folder !== undefined));
}

/** The innermost `node_modules/name` or `node_modules/@scope/name` of a path. */
function packageFolderOf(path: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

function addWithDependencies(folder: string, folders: Set<string>): void {
  if (folders.has(folder)) return;
  folders.add(folder);
  for (const name of Object.keys(manifestOf(folder).dependencies ?? {})) {
    addWithDependencies(installedFolderOf(name, folder), folders);
  }
}

/** Where a package finds another one: below itself, or below one of the folders around it. */
function installedFolderOf(name: string, folder: string): string {
  const candidates = [`${folder}/node_modules/${name}`, `node_modules/${name}`];
  const found = candidates.find((candidate) => existsSync(`${candidate}/package.json`));
  if (found === undefined) throw new Error(`${folder} depends on ${name}, which is not installed`);
  return found;
}

function manifestOf(folder: string): PackageManifest {
  return JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as PackageManifest;
}

/** @throws for a bundled package without a licence text: it must not be shipped unread. */
function readLicense(folder: string, isBundled: boolean): PackageLicense {
  const { name, version: ofPackage, license } = manifestOf(folder);
  const text = licenseText(folder);
  if (license === undefined || (isBundled && text === undefined)) {
    throw new Error(`${folder} has no licence text; find out what it is under before it is shipped`);
  }
  return {
    title: `${name} ${ofPackage} (${license})`,
    text: text ?? "The package comes without the text of its licence.",
  };
}

/** The licence files of a package, or the end of the README, where some old packages have it. */
function licenseText(folder: string): string | undefined {
  const files = readdirSync(folder);
  const own = files.filter((file) => /^(licen[cs]e|notice|copying)/i.test(file)).toSorted();
  if (own.length > 0) return own.map((file) => readFileSync(`${folder}/${file}`, "utf8").trim()).join("\n\n");
  const readme = files.find((file) => /^readme/i.test(file));
  const text = readme === undefined ? "" : readFileSync(`${folder}/${readme}`, "utf8");
  return /^#+ licen[cs]e\s*$([^]*Permission is hereby granted[^]*)/im.exec(text)?.[1]?.trim();
}
