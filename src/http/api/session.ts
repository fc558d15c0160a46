import { type OperatorPermission, PERMISSIONS, Session } from "../../domain/operator/access.ts";
import { VERSION } from "../../domain/version.ts";
import { type ApiRoute, type Caller, route } from "./frame.ts";

export interface SessionParts {
  addresses: () => { publicUrl: string };
}

/** Who asks, and how to become somebody. */
export function sessionRoutes({ addresses }: SessionParts): ApiRoute[] {
  return [
    route({
      method: "GET",
      path: "/session",
      permission: "signed-in",
      summary: "Who asks, and what they may do",
      response: Session,
      answer: ({ caller }) => sessionOf(caller, addresses().publicUrl),
    }),
  ];
}

function sessionOf(caller: Caller, publicUrl: string): Session {
  return { ...personOf(caller), permissions: sorted(caller.permissions), version: VERSION, publicUrl };
}

function personOf(caller: Caller): Pick<Session, "operator" | "hasPassword"> {
  if (caller.kind === "operator") {
    const { name, role, hasPassword } = caller;
    return { operator: { name, role }, hasPassword };
  }
  return { operator: { name: caller.label, role: "viewer" }, hasPassword: false };
}

/** In the order in which they are declared. */
function sorted(permissions: ReadonlySet<OperatorPermission>): OperatorPermission[] {
  return PERMISSIONS.filter((permission) => permissions.has(permission));
}
