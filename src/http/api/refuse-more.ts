import { ServiceError } from "../../domain/errors.ts";
import type { OperatorPermission } from "../../domain/operator/access.ts";
import type { Caller } from "./frame.ts";

/**
 * Rejects granting more permissions than the caller has, in keys, operators or sign-in links.
 *
 * @param asked permissions of the key or operator @throws ServiceError FORBIDDEN
 */
export function refuseMore(
  asked: readonly OperatorPermission[],
  { permissions }: Pick<Caller, "permissions">,
): void {
  const more = asked.filter((name) => !permissions.has(name));
  if (more.length === 0) return;
  throw new ServiceError(
    "FORBIDDEN",
    `You can only grant or remove permissions that you have; you lack ${more.join(", ")}.`,
  );
}
