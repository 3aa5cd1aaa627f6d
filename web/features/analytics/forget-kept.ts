/** What the client keeps for a later visit: who it told of, and what it could not send. */
const KEPT = /^(?:mp_|__mp)/;

/** For somebody who has said no since. */
export function forgetKept(storage: Storage): void {
  for (const key of Object.keys(storage)) if (KEPT.test(key)) storage.removeItem(key);
}
