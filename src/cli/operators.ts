import { InvalidArgumentError } from "@commander-js/extra-typings";

import { operatorAddress } from "../config/addresses.ts";
import type { Config } from "../config/config.ts";
import type { SettingName } from "../config/settings.ts";
import { didYouMean } from "../domain/closest-name.ts";
import { OPERATOR_NAME_PATTERN, type SignInLink } from "../domain/operator/access.ts";
import { issueSignInLink } from "../operate/sign-in.ts";
import type { Store } from "../store/interface/store.ts";
import { InputError } from "./exit-code.ts";
import { formatInstant } from "./format.ts";
import type { Terminal } from "./terminal.ts";

/** Settings for the operators' store and the address of links. */
export const LINK_SETTINGS: readonly SettingName[] = [
  "data",
  "store",
  "operatorUrl",
  "operatorHost",
  "operatorPort",
];

const NAME = new RegExp(OPERATOR_NAME_PATTERN);

/** @throws InvalidArgumentError */
export function parseOperatorName(text: string): string {
  if (NAME.test(text)) return text;
  throw new InvalidArgumentError(
    "should be 1 to 64 letters, digits and . _ @ + -, and start with a letter or digit",
  );
}

/** A link as `--json` prints it. */
interface PrintedLink {
  url: string;
  expiresAt: string;
}

/** @throws InputError if there is no such operator. */
export async function makeSignInLink(
  store: Pick<Store, "operators">,
  { now, randomBytes }: Pick<Terminal, "now" | "randomBytes">,
  config: Pick<Config, "operatorUrl" | "operatorHost" | "operatorPort">,
  name: string,
): Promise<PrintedLink> {
  const operatorUrl = operatorAddress(config, config.operatorPort);
  const link = await issueSignInLink({ store, now, randomBytes, operatorUrl }, name);
  if (link === undefined) throw await unknownOperator(store, name);
  return asPrinted(link);
}

function asPrinted({ url, expiresAt }: SignInLink): PrintedLink {
  return { url, expiresAt: formatInstant(expiresAt) };
}

/** Prints only the link to stdout, so that it can be piped. */
export function sayLink(
  { print, say }: Pick<Terminal, "print" | "say">,
  done: string,
  link: PrintedLink,
): void {
  print(link.url);
  say(`${done}; the link above is valid once, until ${link.expiresAt}, and needs the running server`);
}

export async function unknownOperator(
  { operators }: Pick<Store, "operators">,
  name: string,
): Promise<InputError> {
  const names = (await operators.list()).map((known) => known.name);
  return new InputError(
    names.length === 0
      ? `no operator \`${name}\`: there are none yet; add one with \`parley operator add\``
      : `no operator \`${name}\`${didYouMean(name, names)}`,
  );
}
