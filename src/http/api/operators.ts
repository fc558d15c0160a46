import { Type } from "@sinclair/typebox";

import { ServiceError } from "../../domain/errors.ts";
import { Operator, OperatorName, PERMISSIONS_OF, Role, SignInLink } from "../../domain/operator/access.ts";
import { issueSignInLink, type LinkParts } from "../../operate/sign-in.ts";
import type { OperatorOutcome, StoredOperator } from "../../store/interface/operators.ts";
import { allOf, type ApiRoute, type Caller, Reply, route } from "./frame.ts";
import { refuseMore } from "./gate.ts";

export type OperatorRoutesParts = Omit<LinkParts, "operatorUrl"> & { operatorUrl: () => string };

const ByName = Type.Object({ name: OperatorName });
const permission = "operators.write";

/** Routes of operators. */
export function operatorRoutes(parts: OperatorRoutesParts): ApiRoute[] {
  const { store } = parts;
  return [
    route({
      method: "GET",
      path: "/operators",
      permission,
      summary: "All operators, by name",
      response: allOf(Operator),
      answer: async () => ({ items: (await store.operators.list()).map(shown) }),
    }),
    route({
      method: "POST",
      path: "/operators",
      permission,
      summary: "Add an operator, with a one-time link to sign in",
      body: Type.Object({ name: OperatorName, role: Role }),
      response: Type.Object({ operator: Operator, link: SignInLink }),
      async answer({ body, caller }) {
        refuseMore(PERMISSIONS_OF[body.role], caller);
        if (!(await parts.store.operators.add(body))) {
          throw new ServiceError(
            "INVALID_REQUEST",
            `There is an operator of the name ${body.name} already.`,
            {
              status: 409,
            },
          );
        }
        const operator = await getOperator(parts, body.name);
        return new Reply({ operator, link: await linkFor(parts, body.name, caller) }, { status: 201 });
      },
    }),
    route({
      method: "PATCH",
      path: "/operators/:name",
      permission,
      summary: "Give an operator another role, which ends their sessions",
      params: ByName,
      body: Type.Object({ role: Role }),
      response: Operator,
      async answer({ params, body, caller }) {
        await refuseStronger(parts, params.name, caller);
        refuseMore(PERMISSIONS_OF[body.role], caller);
        assertDone(await parts.store.operators.setRole(params.name, body.role), params.name);
        return getOperator(parts, params.name);
      },
    }),
    route({
      method: "DELETE",
      path: "/operators/:name",
      permission,
      summary: "Remove an operator with their sessions and keys",
      params: ByName,
      async answer({ params, caller }) {
        await refuseStronger(parts, params.name, caller);
        assertDone(await parts.store.operators.remove(params.name), params.name);
      },
    }),
    route({
      method: "POST",
      path: "/operators/:name/link",
      permission,
      summary: "Make a one-time link to sign in, which replaces an earlier one",
      params: ByName,
      response: SignInLink,
      async answer({ params, caller }) {
        await refuseStronger(parts, params.name, caller);
        return linkFor(parts, params.name, caller);
      },
    }),
  ];
}

/**
 * Signing in by another operator's link gives their permissions, so a link for, or a change of, an operator with more permissions is
 * rejected.
 */
async function refuseStronger(parts: OperatorRoutesParts, name: string, caller: Caller): Promise<void> {
  const { role } = await getOperator(parts, name);
  refuseMore(PERMISSIONS_OF[role], caller);
}

async function linkFor(parts: OperatorRoutesParts, name: string, { boundTo }: Caller): Promise<SignInLink> {
  const link = await issueSignInLink({ ...parts, operatorUrl: parts.operatorUrl() }, name, boundTo);
  if (link === undefined) throw noOperator(name);
  return link;
}

async function getOperator({ store }: OperatorRoutesParts, name: string): Promise<Operator> {
  const operator = await store.operators.find(name);
  if (operator === undefined) throw noOperator(name);
  return shown(operator);
}

function assertDone(outcome: OperatorOutcome, name: string): void {
  if (outcome === "unknown") throw noOperator(name);
  if (outcome === "done") return;
  throw new ServiceError("INVALID_REQUEST", `${name} is the last owner; make somebody else an owner first.`, {
    status: 409,
  });
}

function noOperator(name: string): ServiceError {
  return new ServiceError("NOT_FOUND", `There is no operator of the name ${name}.`);
}

function shown({ name, role, createdAt, lastSeenAt, passwordHash }: StoredOperator): Operator {
  return {
    name,
    role,
    createdAt,
    ...(lastSeenAt !== undefined && { lastSeenAt }),
    hasPassword: passwordHash !== undefined,
  };
}
