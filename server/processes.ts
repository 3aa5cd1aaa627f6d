/**
 * How the processes of one server talk to each other: with PROCESSES, `supervise.ts` starts them and
 * passes on what they send. A server with one process has no supervisor.
 */
export type ToSupervisor =
  /** It listens. */
  | { kind: 'ready' }
  /** There is a job for the process that runs jobs. */
  | { kind: 'wake' }
  /** Asks all processes for a report. */
  | { kind: 'ask'; id: number }
  | { kind: 'report'; id: string; report: unknown };

export type ToProcess =
  | { kind: 'wake' }
  | { kind: 'report-wanted'; id: string }
  | { kind: 'reports'; id: number; reports: { process: number; report: unknown }[] };

export const tellSupervisor = (message: ToSupervisor): void => void process.send?.(message);

/** Calls back with every message; returns how to stop. */
export function listenToSupervisor(receive: (message: ToProcess) => void): () => void {
  const listener = (message: unknown) => receive(message as ToProcess);
  process.on('message', listener);
  return () => process.off('message', listener);
}

const ANSWER_MS = 5000;

/** Collects reports of all processes in any of them. Null if there is only this one. */
export function askProcesses<T>(processNumber: number | null, report: () => Promise<T>) {
  if (processNumber === null) return null;
  const waiting = new Map<number, (reports: { process: number; report: T }[]) => void>();
  let lastId = 0;
  const close = listenToSupervisor((message) => {
    if (message.kind === 'report-wanted') {
      const { id } = message;
      void report().then((answer) => tellSupervisor({ kind: 'report', id, report: answer }));
    }
    if (message.kind === 'reports')
      waiting.get(message.id)?.(message.reports as { process: number; report: T }[]);
  });
  const ask = () =>
    new Promise<{ process: number; report: T }[]>((resolve, reject) => {
      const id = (lastId += 1);
      const timer = setTimeout(() => {
        waiting.delete(id);
        reject(new Error('The other processes didn’t answer.'));
      }, ANSWER_MS);
      waiting.set(id, (reports) => {
        clearTimeout(timer);
        waiting.delete(id);
        resolve(reports);
      });
      tellSupervisor({ kind: 'ask', id });
    });
  return { ask, close };
}
