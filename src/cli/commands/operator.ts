import { Argument, type Command, Option } from "@commander-js/extra-typings";

import { ROLES } from "../../domain/operator/access.ts";
import type { StoredOperator } from "../../store/interface/operators.ts";
import { openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { InputError } from "../exit-code.ts";
import { counted, formatInstant, formatJson, formatTable } from "../format.ts";
import { LINK_SETTINGS, makeSignInLink, parseOperatorName, sayLink, unknownOperator } from "../operators.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley operator …` */
export function addOperatorCommands(program: Command, terminal: Terminal): void {
  const operator = program
    .command("operator")
    .description("manage operators, who may use the API and console of the operator listener");
  addExamples(operator, "parley operator add ann --role owner", "parley operator list");
  addOperatorAdd(operator, terminal);
  addOperatorList(operator, terminal);
  addOperatorLink(operator, terminal);
  addOperatorRole(operator, terminal);
  addOperatorRemove(operator, terminal);
}

/** `parley operator add` */
function addOperatorAdd(operator: Command, terminal: Terminal): void {
  const command = operator
    .command("add")
    .description(
      "add an operator, and print a sign-in link, valid once and for 15 minutes.\n\n" +
        "A viewer reads; an editor also changes bots and answers hand-offs; an owner does everything else.",
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

/** `parley operator list` */
function addOperatorList(operator: Command, terminal: Terminal): void {
  const command = operator
    .command("list")
    .description("list operators with their roles and the time they were last seen")
    .option("--json", "print JSON");
  addExamples(addSettings(command, ["data", "store"]), "parley operator list", "parley operator list --json");
  command.action(async (options) => {
    await using store = await openExistingStore(terminal, readConfig(terminal, options));
    const operators = (await store.operators.list()).map(describe);
    if (options.json) return terminal.print(formatJson({ operators }));
    if (operators.length === 0) {
      return terminal.say("no operators yet; add one with `parley operator add NAME --role owner`");
    }
    const rows = operators.map(({ name, role, hasPassword, createdAt, lastSeenAt = "never" }) => [
      name,
      role,
      hasPassword ? "password" : "links",
      createdAt,
      lastSeenAt,
    ]);
    terminal.print(formatTable(["NAME", "ROLE", "SIGNS IN BY", "ADDED", "LAST SEEN"], rows));
  });
}

function describe({ name, role, passwordHash, createdAt, lastSeenAt }: StoredOperator) {
  return {
    name,
    role,
    hasPassword: passwordHash !== undefined,
    createdAt: formatInstant(createdAt),
    ...(lastSeenAt !== undefined && { lastSeenAt: formatInstant(lastSeenAt) }),
  };
}

/** `parley operator link` */
function addOperatorLink(operator: Command, terminal: Terminal): void {
  const command = operator
    .command("link")
    .description("print a sign-in link, valid once and for 15 minutes; it replaces earlier ones")
    .argument("<name>", "name of the operator")
    .option("--json", "print JSON");
  addExamples(addSettings(command, LINK_SETTINGS), "parley operator link ann");
  command.action(async (name, options) => {
    const config = readConfig(terminal, options);
    await using store = await openExistingStore(terminal, config);
    const link = await makeSignInLink(store, terminal, config, name);
    if (options.json) return terminal.print(formatJson({ name, link }));
    sayLink(terminal, `${name} can sign in`, link);
  });
}

/** `parley operator role` */
function addOperatorRole(operator: Command, terminal: Terminal): void {
  const command = operator
    .command("role")
    .description("change an operator's role, which ends their sessions")
    .argument("<name>", "name of the operator")
    .addArgument(new Argument("<role>", "what they may do").choices(ROLES))
    .option("--force", "even if no owner is left");
  addExamples(addSettings(command, ["data", "store"]), "parley operator role bob editor");
  command.action(async (name, role, options) => {
    await using store = await openExistingStore(terminal, readConfig(terminal, options));
    const outcome = await store.operators.setRole(name, role, { force: options.force === true });
    if (outcome === "unknown") throw await unknownOperator(store, name);
    if (outcome === "last_owner") throw lastOwner(name);
    terminal.say(`${name} is now ${role}`);
  });
}

/** `parley operator remove` */
function addOperatorRemove(operator: Command, terminal: Terminal): void {
  const command = operator
    .command("remove")
    .description("remove an operator with their sessions and keys; running servers follow at once")
    .argument("<name>", "name of the operator")
    .option("--force", "even the last owner");
  addExamples(addSettings(command, ["data", "store"]), "parley operator remove bob");
  command.action(async (name, options) => {
    await using store = await openExistingStore(terminal, readConfig(terminal, options));
    const known = await store.operators.find(name);
    const keys = (await store.operatorKeys.list()).filter(({ createdBy }) => createdBy === known?.name);
    const outcome = await store.operators.remove(name, { force: options.force === true });
    if (outcome === "unknown") throw await unknownOperator(store, name);
    if (outcome === "last_owner") throw lastOwner(name);
    terminal.say(
      `${known?.name ?? name} is removed${keys.length > 0 ? `, with ${counted(keys.length, "key")}` : ""}`,
    );
  });
}

/** The last owner stays: without one, operators could only be added by this command. */
function lastOwner(name: string): InputError {
  return new InputError(
    `\`${name}\` is the last owner; make another operator an owner first, or add --force`,
  );
}
