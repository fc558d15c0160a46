import { type ComponentChildren, h } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import type { Session } from "../../../domain/operator/access.ts";
import { ask } from "../../api/client.ts";
import { session } from "../../api/connection.ts";
import type { Problem } from "../../api/problem.ts";
import { Button } from "../../parts/button.tsx";
import { Input, isLongEnough, MIN_PASSWORD_LENGTH, NewPassword } from "../../parts/fields.tsx";
import { Mark } from "../../parts/icon.tsx";
import { Fault, Skeleton } from "../../parts/states.tsx";
import { go, place } from "../../router.ts";
import { useAction } from "../../use-action.ts";
import { linkSecretIn } from "./link-secret.ts";

/** Takes the secret of a one-time link from the fragment, which servers never log. */
function takeSecret(): string | undefined {
  const secret = linkSecretIn(location.hash);
  if (secret === undefined) return undefined;
  // The secret is used up, so it is removed from the history.
  history.replaceState(null, "", location.pathname + location.search);
  return secret;
}

/** Opens the page that was asked for before sign-in. */
function goOn(): void {
  const to = place.value.query.get("to");
  if (place.value.path === "/sign-in")
    go(to?.startsWith("/") === true && !to.startsWith("//") ? to : "/", { replace: true });
}

/** The sign-in page: by one-time link or password. */
export function SignIn() {
  /** Signed in by a link, and asked for a password before the console opens. */
  const [newcomer, setNewcomer] = useState<Session>();
  const isStarted = useRef(false);
  const byLink = useAction(async (secret: string) => {
    const signedIn = await ask("POST /session/link", { body: { secret } });
    if (signedIn.hasPassword || signedIn.isByKey) enter(signedIn);
    else setNewcomer(signedIn);
  });
  useEffect(() => {
    document.title = "Sign in · Parley";
    if (isStarted.current) return;
    isStarted.current = true;
    const secret = takeSecret();
    if (secret !== undefined) byLink.run(secret);
  }, []);
  if (newcomer !== undefined) return <SetPassword session={newcomer} onDone={enter} />;
  if (byLink.isBusy) {
    return (
      <Door title="Signing in">
        <Skeleton what="your session" lines={["w9", "w6"]} />
      </Door>
    );
  }
  return <PasswordForm linkProblem={byLink.problem} />;
}

function enter(signedIn: Session): void {
  session.value = signedIn;
  goOn();
}

function PasswordForm({ linkProblem }: { linkProblem: Problem | undefined }) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const submitting = useAction(async () => enter(await ask("POST /session", { body: { name, password } })));
  const { problem } = submitting;
  const submit = (event: Event) => {
    event.preventDefault();
    submitting.run();
  };
  return (
    <Door title="Sign in">
      {linkProblem !== undefined && problem === undefined && (
        <Fault what="This link did not sign you in" problem={linkProblem} />
      )}
      {problem !== undefined && <Fault what="You are not signed in" problem={problem} />}
      <form onSubmit={submit}>
        <Input
          label="Name"
          autocomplete="username"
          autocapitalize="none"
          required
          value={name}
          onType={setName}
        />
        <Input
          label="Password"
          type="password"
          autocomplete="current-password"
          required
          value={password}
          onType={setPassword}
        />
        <div class="actions">
          <Button kind="primary" type="submit" disabled={submitting.isBusy}>
            Sign in
          </Button>
        </div>
      </form>
      <p class="small dim">
        No password yet, or forgotten? On the server, <code>parley operator link NAME</code> prints a link
        that signs you in once.
      </p>
    </Door>
  );
}

interface SetPasswordProps {
  session: Session;
  onDone: (session: Session) => void;
}

/** Asks for a password after an operator without one has signed in by a link. It can be skipped: another link works as well. */
function SetPassword({ session: signedIn, onDone }: SetPasswordProps) {
  const [password, setPassword] = useState("");
  const [isTried, setIsTried] = useState(false);
  useEffect(() => {
    document.title = "Choose a password · Parley";
  }, []);
  const isShort = !isLongEnough(password);
  const keeping = useAction(async () => onDone(await ask("PUT /session/password", { body: { password } })));
  const submit = (event: Event) => {
    event.preventDefault();
    setIsTried(true);
    if (!isShort) keeping.run();
  };
  return (
    <Door title="Choose a password">
      <p class="dim">
        You are signed in as <b>{signedIn.operator.name}</b>. With this name and a password you can sign in
        again without a link.
      </p>
      {keeping.problem && <Fault what="The password was not saved" problem={keeping.problem} />}
      <form onSubmit={submit}>
        <NewPassword
          label="Password"
          fault={isTried && isShort ? `Use at least ${MIN_PASSWORD_LENGTH} characters.` : undefined}
          value={password}
          onType={setPassword}
        />
        <div class="actions">
          <Button kind="primary" type="submit" disabled={keeping.isBusy}>
            Save the password
          </Button>
          <Button kind="quiet" onClick={() => onDone(signedIn)}>
            Later
          </Button>
        </div>
      </form>
    </Door>
  );
}

/** The frame of the pages before sign-in. */
function Door({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <main class="door">
      <div class="brand">
        <Mark />
        <span>Parley</span>
      </div>
      <h1>{title}</h1>
      {children}
    </main>
  );
}
