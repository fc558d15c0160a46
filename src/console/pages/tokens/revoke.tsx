import { h } from "preact";

import type { TokenRow } from "../../../domain/operator/server.ts";
import { botName } from "../../bots.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";

interface RevokeProps {
  token: TokenRow;
  onClose: () => void;
  onRevoke: () => void;
}

/** A revoked token stays revoked, and pages may still hold it: that asks first. */
export function RevokeDialog({ token: { bots, id }, onClose, onRevoke }: RevokeProps) {
  return (
    <Dialog title="Revoke this token?" onClose={onClose}>
      <p>
        Pages that still hold <code>{id}</code> can no longer talk to{" "}
        <bdi>{bots.map(botName).join(", ")}</bdi>, from within a second. It cannot be made valid again; a new
        one can be put in its place.
      </p>
      <div class="actions">
        <span class="end" />
        <Button onClick={onClose} autofocus>
          Cancel
        </Button>
        <Button kind="erase" onClick={onRevoke}>
          Revoke it
        </Button>
      </div>
    </Dialog>
  );
}
