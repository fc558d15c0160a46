import { Type } from "@sinclair/typebox";

import { hashOperatorSecret, newOperatorKey, newOperatorKeyId } from "../../access/secrets.ts";
import { ServiceError } from "../../domain/errors.ts";
import type { RandomBytes } from "../../domain/ids.ts";
import { OperatorKey, OperatorPermission } from "../../domain/operator/access.ts";
import type { Now } from "../../domain/time.ts";
import type { StoredOperatorKey } from "../../store/interface/operators.ts";
import type { Store } from "../../store/interface/store.ts";
import { invalid } from "../json-body.ts";
import { allOf, type ApiRoute, ById, type Caller, Reply, route } from "./frame.ts";
import { refuseMore } from "./gate.ts";

export interface KeyRoutesParts {
  store: Pick<Store, "operatorKeys">;
  now: Now;
  randomBytes: RandomBytes;
}

const permission = "operators.write";

/** Routes of keys for scripts. */
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
      summary: "Make a key; it is shown only once",
      body: Type.Object({
        label: Type.String({ minLength: 1, maxLength: 100, pattern: "^[^\\u0000-\\u001f\\u007f]+$" }),
        permissions: Type.Array(OperatorPermission, { minItems: 1, uniqueItems: true }),
        expiresAt: Type.Optional(Type.Integer()),
      }),
      response: Type.Composite([OperatorKey, Type.Object({ key: Type.String() })]),
      async answer({ body, caller }) {
        const expiresAt = endOf(body, caller, now());
        refuseMore(body.permissions, caller);
        const key = newOperatorKey(randomBytes);
        const id = newOperatorKeyId(now(), randomBytes);
        const createdBy = caller.kind === "key" ? caller.createdBy : caller.name;
        const hash = hashOperatorSecret(key);
        const made = { id, createdBy, ...body, ...(expiresAt !== undefined && { expiresAt }) };
        const madeBy = caller.boundTo?.id;
        if (!(await store.operatorKeys.add({ ...made, hash, ...(madeBy !== undefined && { madeBy }) }))) {
          throw new ServiceError("UNAUTHORIZED", "The operator or the key was removed.");
        }
        return new Reply({ ...made, createdAt: now(), key }, { status: 201 });
      },
    }),
    route({
      method: "DELETE",
      path: "/keys/:id",
      permission,
      summary: "Remove a key with the keys, links and sessions that it made; they are refused at once",
      params: ById,
      async answer({ params, caller }) {
        const found = (await store.operatorKeys.list()).find(({ id }) => id === params.id);
        if (found) refuseMore(found.permissions, caller);
        if (await store.operatorKeys.remove(params.id)) return;
        throw new ServiceError("NOT_FOUND", "There is no key of this id.");
      },
    }),
  ];
}

/** When a new key expires; if a key creates it, no later than that one. @throws ServiceError INVALID_REQUEST */
function endOf(
  { expiresAt }: { expiresAt?: number },
  { boundTo }: Pick<Caller, "boundTo">,
  now: number,
): number | undefined {
  const latest = boundTo?.expiresAt;
  const refuse = (detail: string, message: string) => invalid(message, [{ pointer: "/expiresAt", detail }]);
  if (expiresAt === undefined) return latest;
  if (expiresAt <= now) throw refuse("must be in the future", "A key cannot end in the past.");
  if (latest === undefined || expiresAt <= latest) return expiresAt;
  throw refuse(`must be ${latest} at most`, "A key makes no key that ends later than itself.");
}

function shown(key: StoredOperatorKey): OperatorKey {
  const { makerRole: _, ...rest } = key;
  return rest;
}
