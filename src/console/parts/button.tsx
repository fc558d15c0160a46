import { type ComponentChildren, h } from "preact";

import type { OperatorPermission } from "../../domain/operator/access.ts";
import { offline } from "../api/connection.ts";
import { whyNot } from "../session.ts";
import { Icon } from "./icon.tsx";

interface ButtonProps {
  children: ComponentChildren;
  onClick?: () => unknown;
  kind?: "primary" | "quiet" | "danger" | "erase";
  type?: "button" | "submit";
  /** The key that does the same. */
  keyName?: string;
  disabled?: boolean;
  autofocus?: boolean;
}

const CLASSES = {
  primary: "btn btn-primary",
  quiet: "btn btn-quiet",
  danger: "btn btn-quiet btn-danger",
  erase: "btn btn-primary btn-danger",
};

/** Something that can be done. */
export function Button({
  children,
  onClick,
  kind,
  type = "button",
  keyName,
  disabled,
  autofocus,
}: ButtonProps) {
  return (
    <button
      class={kind === undefined ? "btn" : CLASSES[kind]}
      type={type}
      onClick={onClick}
      disabled={disabled}
      autofocus={autofocus}
    >
      {children}
      {keyName !== undefined && <kbd>{keyName}</kbd>}
    </button>
  );
}

/** Why changes are off; undefined if they are possible. */
export function whyOff(permission: OperatorPermission): string | undefined {
  if (offline.value !== undefined) return "Parley does not respond. Changes are possible again when it does.";
  return whyNot(permission);
}

/** A button for an action that needs a permission. It is shown to everybody and says why it is off. */
export function GuardedButton({ permission, ...button }: ButtonProps & { permission: OperatorPermission }) {
  const reason = whyOff(permission);
  if (reason === undefined) return <Button {...button} />;
  return (
    <button
      class={button.kind === undefined ? "btn" : CLASSES[button.kind]}
      type="button"
      aria-disabled="true"
      aria-describedby={reasonId(permission)}
      title={reason}
    >
      <Icon name="lock" />
      {button.children}
    </button>
  );
}

const reasonId = (permission: OperatorPermission) => `why-${permission.replace(".", "-")}`;

/** The reason, shown once per page; buttons that are off refer to it. Nothing if none is off. */
export function WhyOff({ permission }: { permission: OperatorPermission }) {
  const reason = whyOff(permission);
  if (reason === undefined) return null;
  return (
    <p id={reasonId(permission)} class="small dim">
      {reason}
    </p>
  );
}
