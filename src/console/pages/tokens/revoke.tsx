import { h } from "preact";

import type { TokenRow } from "../../../domain/operator/server.ts";
import { botNames } from "../../bots.ts";
import { Confirm } from "../../parts/confirm.tsx";

interface RevokeProps {
  token: TokenRow;
  onClose: () => void;
  onRevoke: () => unknown;
}

/** Revoking cannot be undone and may break pages, so it asks first. */
export function RevokeDialog({ token: { bots, id }, onClose, onRevoke }: RevokeProps) {
  return (
    <Confirm title="Revoke this token?" does="Revoke" onConfirm={onRevoke} onClose={onClose}>
      Pages that use <code>{id}</code> lose access to <bdi>{botNames(bots)}</bdi> within a second. A revoked
      token cannot be restored; create a new one instead.
    </Confirm>
  );
}
