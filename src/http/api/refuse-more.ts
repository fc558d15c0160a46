import { ServiceError } from "../../domain/errors.ts";
import type { OperatorPermission } from "../../domain/operator/access.ts";
import type { Caller } from "./frame.ts";

/**
 * Nobody hands out more than they may do themselves: a limited key makes neither a key nor an operator that may do more, nor a link to sign
 * in as one.
 *
 * @param asked what the key or the operator may do
 * @throws ServiceError FORBIDDEN
 */
export function refuseMore(
  asked: readonly OperatorPermission[],
  { permissions }: Pick<Caller, "permissions">,
): void {
  const more = asked.filter((name) => !permissions.has(name));
  if (more.length === 0) return;
  throw new ServiceError(
    "FORBIDDEN",
    `Nobody gives or takes more than they may do; you lack ${more.join(", ")}.`,
  );
}
