import { type Command, Option } from "@commander-js/extra-typings";

import { ROLES } from "../../domain/operator/access.ts";
import { openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { InputError } from "../exit-code.ts";
import { formatJson } from "../format.ts";
import { LINK_SETTINGS, makeSignInLink, parseOperatorName, sayLink } from "../operators.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley operator add` */
export function addOperatorAdd(operator: Command, terminal: Terminal): void {
  const command = operator
    .command("add")
    .description(
      "add an operator, and print a link to sign in, which is good once and for 15 minutes.\n\n" +
        "A viewer reads; an editor also changes bots and answers hand-offs; an owner does all else.",
    )
    .argument("<name>", "a name or an e-mail address", parseOperatorName)
    .addOption(new Option("--role <role>", "what they may do").choices(ROLES).makeOptionMandatory())
    .option("--json", "print JSON");
  addExamples(
    addSettings(command, LINK_SETTINGS),
    "parley operator add ann --role owner",
    "parley operator add bob@example.com --role viewer --operator-url https://operator.example",
  );
  command.action(async (name, options) => {
    const config = readConfig(terminal, options);
    await using store = await openExistingStore(terminal, config);
    const { role } = options;
    if (!(await store.operators.add({ name, role }))) {
      throw new InputError(
        `an operator \`${name}\` already exists; \`parley operator link ${name}\` prints a sign-in link, \`parley operator role\` changes the role`,
      );
    }
    const link = await makeSignInLink(store, terminal, config, name);
    if (options.json) return terminal.print(formatJson({ name, role, link }));
    sayLink(terminal, `${name} is added as ${role}`, link);
  });
}
