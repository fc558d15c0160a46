import { h } from "preact";

import type { NewToken } from "../../../domain/operator/server.ts";
import { Button } from "../../parts/button.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { Notice } from "../../parts/states.tsx";

/** A new token with its HTML snippet. Only its hash is stored, so it cannot be shown again. */
export function ShownOnce({ token: { token, snippet }, onClose }: { token: NewToken; onClose: () => void }) {
  return (
    <Notice kind="look" icon="key" title="Copy this now; it is shown only once">
      <p>Only a hash of the token is stored. If you lose it, create a new one.</p>
      <div class="section gap">
        <Copyable what="Token" text={token} />
        <Copyable what="HTML snippet, for anywhere in the page" text={snippet} />
      </div>
      <div class="actions">
        <Button onClick={onClose}>I have copied it</Button>
      </div>
    </Notice>
  );
}
