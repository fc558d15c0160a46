import { Type } from "@sinclair/typebox";

import { hashOperatorSecret, newOperatorKey, newOperatorKeyId } from "../../access/operator-secrets.ts";
import { ServiceError } from "../../domain/errors.ts";
import type { RandomBytes } from "../../domain/ids.ts";
import { OperatorKey, OperatorPermission } from "../../domain/operator/access.ts";
import type { Now } from "../../domain/time.ts";
import type { StoredOperatorKey } from "../../store/interface/operators.ts";
import type { Store } from "../../store/interface/store.ts";
import { invalid } from "../json-body.ts";
import { type ApiRoute, Reply, allOf, route } from "./frame.ts";
import { refuseMore } from "./refuse-more.ts";

export interface KeyRoutesParts {
  store: Pick<Store, "operatorKeys">;
  now: Now;
  randomBytes: RandomBytes;
}

const permission = "operators.write";

/** Keys for scripts. */
export function keyRoutes({ store, now, randomBytes }: KeyRoutesParts): ApiRoute[] {
  return [
    route({
      method: "GET",
      path: "/keys",
      permission,
      summary: "All keys, oldest first; the keys themselves are not stored",
      response: allOf(OperatorKey),
      answer: async () => ({ items: (await store.operatorKeys.list()).map(shown) }),
    }),
    route({
      method: "POST",
      path: "/keys",
      permission,
      summary: "Make a key; it is shown this once",
      body: Type.Object({
        label: Type.String({ minLength: 1, maxLength: 100, pattern: "^[^\\u0000-\\u001f\\u007f]+$" }),
        permissions: Type.Array(OperatorPermission, { minItems: 1, uniqueItems: true }),
        expiresAt: Type.Optional(Type.Integer()),
      }),
      response: Type.Composite([OperatorKey, Type.Object({ key: Type.String() })]),
      async answer({ body, caller }) {
        refusePast(body.expiresAt, now());
        refuseMore(body.permissions, caller);
        const key = newOperatorKey(randomBytes);
        const id = newOperatorKeyId(now(), randomBytes);
        const createdBy = caller.kind === "key" ? caller.createdBy : caller.name;
        const hash = hashOperatorSecret(key);
        if (!(await store.operatorKeys.add({ id, hash, createdBy, ...body }))) {
          throw new ServiceError("UNAUTHORIZED", "The operator is gone.");
        }
        return new Reply({ id, createdBy, createdAt: now(), ...body, key }, { status: 201 });
      },
    }),
    route({
      method: "DELETE",
      path: "/keys/:id",
      permission,
      summary: "Remove a key; it is refused at once",
      params: Type.Object({ id: Type.String({ maxLength: 100 }) }),
      async answer({ params }) {
        if (await store.operatorKeys.remove(params.id)) return;
        throw new ServiceError("NOT_FOUND", "There is no key of this id.");
      },
    }),
  ];
}

function refusePast(expiresAt: number | undefined, now: number): void {
  if (expiresAt === undefined || expiresAt > now) return;
  const fault = { pointer: "/expiresAt", detail: "must be in the future" };
  throw invalid("A key cannot end in the past.", [fault]);
}

function shown(key: StoredOperatorKey): OperatorKey {
  const { makerRole: _, ...rest } = key;
  return rest;
}
