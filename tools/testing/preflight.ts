import { findChromium, findInstalledChromium } from './find-chromium.ts';
import { findNginxPrograms } from './find-nginx.ts';
import { findInstalledPostgres, installPostgres } from './find-postgres.ts';
import { findProgram } from './find-program.ts';

/** Something that the tests use and the machine may lack. */
export type Need = {
  name: string;
  /** Where the machine has it. */
  find: () => string | undefined | Promise<string | undefined>;
  /** Gets it and returns where it is now; throws an error that says what a person can do. */
  get?: () => string | Promise<string>;
  /** What the run loses without it, if it can do without. */
  without?: string;
};

const BROWSER: Need = { name: 'Chromium', find: findInstalledChromium, get: () => findChromium() };

const SERVER_NEEDS: Need[] = [
  { name: 'PostgreSQL', find: () => findInstalledPostgres(), get: () => installPostgres() },
  {
    name: 'ffmpeg',
    find: () => findProgram('ffmpeg'),
    without: 'the tests use the one from npm, which takes about two minutes longer',
  },
  {
    name: 'nginx and openssl',
    find: () => findNginxPrograms()?.nginx,
    without: 'the tests of several servers and of deploy/nginx.conf are skipped',
  },
  {
    name: 'systemd-analyze',
    find: () => findProgram('systemd-analyze'),
    without: 'the unit files in deploy/ are not checked',
  },
];

export const listNeeds = (parts: ReadonlySet<string>): Need[] => [
  ...(parts.has('e2e') ? [BROWSER] : []),
  ...(parts.has('unit') ? SERVER_NEEDS : []),
];

const formatLine = (mark: string, name: string, text: string): string =>
  `${mark} ${name.padEnd(18)} ${text}`;

/**
 * Says what the machine has and lacks before anything runs, and gets what is missing. Returns false
 * if something that the tests can't do without can't be had.
 */
export async function checkMachine(
  needs: readonly Need[],
  print: (line: string) => void = console.log,
): Promise<boolean> {
  const found = await Promise.all(needs.map(async (need) => ({ need, where: await need.find() })));
  for (const { need, where } of found) {
    if (where) print(formatLine('✓', need.name, where));
    else if (need.without) print(formatLine('–', need.name, `not found: ${need.without}`));
    else print(formatLine('✗', need.name, 'not found'));
  }
  const missing = found.filter(({ need, where }) => !where && need.get).map(({ need }) => need);
  const problems: string[] = [];
  for (const { name, get } of missing) {
    try {
      print(formatLine('✓', name, (await get?.()) ?? ''));
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  for (const problem of problems) print(`✗ ${problem}`);
  return problems.length === 0;
}
