/** What was tried, and what should not have happened. */
export class Tally {
  readonly tried = {
    rounds: 0,
    kills: 0,
    killsDuringModelTurns: 0,
    acknowledged: 0,
    retries: 0,
    aborted: 0,
    /** Answers of 503: the store was too busy, so that nothing is known. */
    unavailable: 0,
    published: 0,
    clashes: 0,
    drafts: 0,
    uploads: 0,
    searches: 0,
    handoffs: 0,
    saidToPeople: 0,
    deliveries: 0,
    actions: 0,
    botsDeleted: 0,
    backups: 0,
    faults: 0,
    faultsOf: new Map<string, number>(),
  };
  readonly wrong = {
    lost: 0,
    halfStored: 0,
    toldWrongly: 0,
    doneTwice: 0,
    notErased: 0,
    capOvershoot: 0,
    miscounted: 0,
    secondAnswers: 0,
    outOfOrder: 0,
    backupsUnequal: 0,
    believedAfterFailure: 0,
    notHealed: 0,
    damaged: 0,
    unexpected: 0,
  };
  /** The first of what was wrong, in words. */
  readonly findings: string[] = [];

  note(kind: keyof Tally["wrong"], finding: string, count = 1): void {
    if (count === 0) return;
    this.wrong[kind] += count;
    if (this.findings.length < MAX_FINDINGS) this.findings.push(`${kind}: ${finding}`);
  }

  /** One place at which the disk failed, once or from there on. */
  noteFault(kind: string): void {
    this.tried.faults++;
    this.tried.faultsOf.set(kind, (this.tried.faultsOf.get(kind) ?? 0) + 1);
  }

  get isClean(): boolean {
    return Object.values(this.wrong).every((count) => count === 0);
  }

  /** Lines that say all of it. */
  summarise(): string[] {
    const { tried, wrong } = this;
    return [
      `rounds ${tried.rounds}, kills ${tried.kills} (${tried.killsDuringModelTurns} during model turns), acknowledged ${tried.acknowledged}, retried keys ${tried.retries}`,
      `callers who left ${tried.aborted}; published ${tried.published}, clashes ${tried.clashes}, drafts ${tried.drafts}; uploads ${tried.uploads}, searched for ${tried.searches}; bots deleted ${tried.botsDeleted}; answered with 503 ${tried.unavailable}`,
      `hand-offs ${tried.handoffs}, messages in them ${tried.saidToPeople}, deliveries ${tried.deliveries}; actions ${tried.actions}`,
      `lost ${wrong.lost}, stored by half ${wrong.halfStored}, told wrongly ${wrong.toldWrongly}, actions done twice ${wrong.doneTwice}, not erased ${wrong.notErased}`,
      `cap overshoot ${wrong.capOvershoot}, counted wrongly ${wrong.miscounted}, answered twice ${wrong.secondAnswers}, out of order ${wrong.outOfOrder}`,
      `backups restored and compared ${tried.backups}, unequal ${wrong.backupsUnequal}`,
      `places at which the disk failed ${tried.faults}: believed after a failure ${wrong.believedAfterFailure}, not healed ${wrong.notHealed}, databases damaged ${wrong.damaged}`,
      ...[...tried.faultsOf].map(([kind, count]) => `  ${count} × ${kind}`),
      `anything else unexpected ${wrong.unexpected}`,
      ...this.findings.map((finding) => `  ${finding}`),
    ];
  }
}

const MAX_FINDINGS = 20;
