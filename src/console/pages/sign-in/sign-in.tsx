import { h } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import type { Session } from "../../../domain/operator/access.ts";
import { ask } from "../../api/client.ts";
import type { Problem } from "../../api/problem.ts";
import { asProblem } from "../../api/resource.ts";
import { session } from "../../api/signed-in.ts";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/filters.tsx";
import { Fault, Skeleton } from "../../parts/states.tsx";
import { go, place } from "../../router.ts";
import { useOnce } from "../../use-once.ts";
import { Door } from "./door.tsx";
import { linkSecretIn } from "./link-secret.ts";
import { SetPassword } from "./set-password.tsx";

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
  const [isByLink, setIsByLink] = useState(false);
  /** Signed in by a link, and asked for a password before the console opens. */
  const [newcomer, setNewcomer] = useState<Session>();
  const [problem, setProblem] = useState<Problem>();
  const isStarted = useRef(false);
  const byLink = async (secret: string) => {
    setIsByLink(true);
    try {
      const signedIn = await ask("POST /session/link", { body: { secret } });
      if (signedIn.hasPassword || signedIn.isByKey) enter(signedIn);
      else setNewcomer(signedIn);
    } catch (error) {
      setProblem(asProblem(error));
      setIsByLink(false);
    }
  };
  useEffect(() => {
    document.title = "Sign in · Parley";
    if (isStarted.current) return;
    isStarted.current = true;
    const secret = takeSecret();
    if (secret !== undefined) void byLink(secret);
  }, []);
  if (newcomer !== undefined) return <SetPassword session={newcomer} onDone={enter} />;
  if (isByLink) {
    return (
      <Door title="Signing in">
        <Skeleton what="your session" lines={["w9", "w6"]} />
      </Door>
    );
  }
  return <PasswordForm linkProblem={problem} />;
}

function enter(signedIn: Session): void {
  session.value = signedIn;
  goOn();
}

function PasswordForm({ linkProblem }: { linkProblem: Problem | undefined }) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<Problem>();
  const submitting = useOnce(async () => {
    setProblem(undefined);
    try {
      enter(await ask("POST /session", { body: { name, password } }));
    } catch (error) {
      setProblem(asProblem(error));
    }
  });
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
        <Field label="Name">
          {({ id }) => (
            <input
              id={id}
              class="input"
              autocomplete="username"
              autocapitalize="none"
              required
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label="Password">
          {({ id }) => (
            <input
              id={id}
              class="input"
              type="password"
              autocomplete="current-password"
              required
              value={password}
              onInput={(event) => setPassword(event.currentTarget.value)}
            />
          )}
        </Field>
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
