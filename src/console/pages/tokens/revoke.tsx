import { h } from "preact";

import type { TokenRow } from "../../../domain/operator/server.ts";
import { botNames } from "../../bots.ts";
import { Confirm } from "../../parts/confirm.tsx";

interface RevokeProps {
  token: TokenRow;
  onClose: () => void;
  onRevoke: () => unknown;
}

/** A revoked token stays revoked, and pages may still hold it: that asks first. */
export function RevokeDialog({ token: { bots, id }, onClose, onRevoke }: RevokeProps) {
  return (
    <Confirm title="Revoke this token?" does="Revoke it" onConfirm={onRevoke} onClose={onClose}>
      Pages that still hold <code>{id}</code> can no longer talk to <bdi>{botNames(bots)}</bdi>, from within a
      second. It cannot be made valid again; a new one can be put in its place.
    </Confirm>
  );
}
