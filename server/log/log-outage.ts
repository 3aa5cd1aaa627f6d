import { MINUTE } from '#contract/rules/time.ts';

type Write = (details: object, message: string) => void;
type Going = { last: object; more: number };

/** Of each log: what is out at the moment. */
const outages = new WeakMap<object, Map<string, Going>>();

function nameError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return code ?? `${error.name} ${error.message.slice(0, 80)}`;
}

/**
 * An outage fails every request and every look for jobs: one line says so when it begins, and one a
 * minute how many more there were. `log` is any logger; `write` is how the line is written.
 */
export function logOutage(
  log: object,
  write: Write,
  { details, message }: { details: { err: unknown } & Record<string, unknown>; message: string },
): void {
  const going = outages.get(log) ?? new Map<string, Going>();
  outages.set(log, going);
  const key = `${message} ${nameError(details.err)}`;
  const known = going.get(key);
  if (known) {
    known.last = details;
    known.more += 1;
    return;
  }
  write(details, message);
  const started: Going = { last: details, more: 0 };
  going.set(key, started);
  const look = () => {
    if (started.more === 0) {
      going.delete(key);
      return;
    }
    write({ ...started.last, more: started.more }, message);
    started.more = 0;
    setTimeout(look, MINUTE).unref();
  };
  setTimeout(look, MINUTE).unref();
}
