import type { Browser, Page } from '@playwright/test';

type TraceEvent = {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  dur?: number;
  /** Without the time in which other programs had the processor. */
  tdur?: number;
  args?: { name?: string };
};

export type LongestTask = {
  /** Of the main thread, in milliseconds of its own processor time. */
  ms: number;
  /** By the clock: on a busy machine more. */
  clockMs: number;
  /** How many took more than 50 ms of processor time. */
  long: number;
};

export const LONG_TASK_MS = 50;

/** The longest task of a page's main thread while `act` runs. */
export async function measureTasks(
  browser: Browser,
  page: Page,
  act: () => Promise<void>,
): Promise<LongestTask> {
  await browser.startTracing(page, {
    categories: ['toplevel', 'disabled-by-default-devtools.timeline'],
  });
  await act();
  const trace = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  const tasks = listMainTasks(trace.traceEvents);
  const times = tasks.map(({ tdur = 0 }) => tdur / 1000);
  return {
    ms: Math.max(0, ...times),
    clockMs: Math.max(0, ...tasks.map(({ dur = 0 }) => dur / 1000)),
    long: times.filter((ms) => ms > LONG_TASK_MS).length,
  };
}

/** The tasks of the renderer that had most of them: other tabs and workers are idle. */
function listMainTasks(events: readonly TraceEvent[]): TraceEvent[] {
  const isMain = (event: TraceEvent) =>
    event.name === 'thread_name' && event.args?.name === 'CrRendererMain';
  const threads = events
    .filter(isMain)
    .map(({ pid, tid }) =>
      events.filter(
        (event) =>
          event.pid === pid && event.tid === tid && event.ph === 'X' && event.name === 'RunTask',
      ),
    );
  return threads.toSorted((a, b) => b.length - a.length)[0] ?? [];
}
