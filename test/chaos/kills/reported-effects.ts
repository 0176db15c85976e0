/** Effects of the reference run outside of the session. */
export interface Outside {
  /** Each effect that happened. */
  effects: Set<string>;
  /** Effects that happened again without a user's approval; calls with the same key count as one. */
  duplicates: number;
}

/** The effects that the page of the reference run reports. They outlive its browser. */
export class ReportedEffects {
  #reports: { what: string; key: string }[] = [];

  reset(): void {
    this.#reports = [];
  }

  add(what: string, key: string): void {
    this.#reports.push({ what, key });
  }

  outside(): Outside {
    const effects = new Set<string>();
    const keys = new Set<string>();
    let duplicates = 0;
    let allowed = false;
    for (const { what, key } of this.#reports) {
      if (what === 'allowed') allowed = true;
      else if (!what.startsWith('mail') || !keys.has(key)) {
        if (effects.has(what) && !allowed) duplicates += 1;
        effects.add(what);
        allowed = false; // An approval counts once.
      }
      keys.add(key); // The receiver drops the second mail with the same key.
    }
    return { effects, duplicates };
  }
}
