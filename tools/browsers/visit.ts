import { readSoundTime, recordMedia } from '../../e2e/support/sound-in-page.ts';
import { KEYS, type Tab } from './driver.ts';
import { describeTarget, findInPage, toWanted, type Target } from './find-in-page.ts';

/** Generous, only for what hangs: machines may be busy. */
const LIMIT_MS = 45_000;
const PAUSE_MS = 60;

/** Waits for a condition. The error says what it was. */
export async function until<T>(
  what: string,
  check: () => Promise<T | null | undefined | false>,
  limit = LIMIT_MS,
): Promise<T> {
  const deadline = performance.now() + limit;
  for (;;) {
    const result = await check();
    if (result !== null && result !== undefined && result !== false) return result;
    if (performance.now() > deadline) throw new Error(`It never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

export type Visit = ReturnType<typeof createVisit>;

/** What a person does in a window, the same in every browser. */
export function createVisit(tab: Tab, origin: string) {
  /** A function that uses nothing from outside itself. */
  const run = <A extends unknown[], R>(source: (...args: A) => R | Promise<R>, ...args: A) =>
    tab.run(String(source), args) as Promise<R>;
  const find = (target: Target, need: Parameters<typeof findInPage>[1], limit?: number) =>
    until(
      describeTarget(target),
      // While another page loads, there is none to look in.
      () => tab.find(String(findInPage), [toWanted(target), need]).catch(() => null),
      limit,
    );

  const isPressable = () =>
    run(() => !('earlyPress' in window) || !document.getElementById('after-paint'));

  return {
    run,
    until,
    screenshot: tab.screenshot,
    problems: tab.problems,
    open: async (path: string) => {
      await tab.open(origin + path);
      // Like a person, it presses nothing before the page reacts.
      await until(`${path} reacts`, isPressable);
      await run(recordMedia);
    },
    see: async (target: Target) => void (await find(target, 'seen')),
    sees: async (target: Target) =>
      (await tab.find(String(findInPage), [toWanted(target), 'seen'])) !== null,
    press: async (target: Target, limit?: number) =>
      (await find(target, 'pressable', limit)).click(),
    fill: async (target: Target, text: string) => (await find(target, 'focused')).type(text),
    pressKey: async (target: Target, key: keyof typeof KEYS) =>
      (await find(target, 'focused')).type(KEYS[key]),
    chooseFiles: async (name: string, paths: string[]) =>
      (await find({ role: 'file', name }, 'seen')).setFiles(paths),
    /** Where the audio is that plays, in seconds; null in silence. */
    soundTime: () => run(readSoundTime),
    path: () => run(() => location.pathname),
  };
}
