import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startClientSite, type ClientSite } from './client-site.ts';
import { feedPrograms } from './feed-programs.ts';
import { players } from './players.ts';
import { findMissing, type Program } from './program.ts';
import { pythonPrograms } from './python-programs.ts';
import { choose, writeReport, type Result } from './report.ts';
import { windowPrograms } from './window-programs.ts';

const programs: Record<string, Program> = {
  ...feedPrograms,
  ...players,
  ...pythonPrograms,
  ...windowPrograms,
};

/**
 * Starts a site with three mixes on this machine and drives the podcast and music programs that are
 * installed. It installs nothing. Prints a table, and fails if a program that is here can't do something.
 *
 *   npm run clients -- [--only mpv] [--only strawberry]
 */
const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true, default: [] } },
});
const chosen = choose(programs, values.only);

async function drive(name: string, program: Program, site: ClientSite, home: string) {
  const { findVersion, needs, open, checks, cannot } = program;
  const version = await findVersion();
  const missing = version === null || !needs ? [] : await findMissing(needs);
  const result: Result = { name, version, missing, passed: [], failed: [], cannot };
  if (version === null || missing.length > 0) return result;
  const attempt = async <T>(what: string, act: () => Promise<T>): Promise<T | null> => {
    try {
      return await act();
    } catch (error) {
      result.failed.push({ what, problem: String(error) });
      return null;
    }
  };
  await mkdir(home);
  const close = open && (await attempt('start', () => open({ site, home })));
  if (result.failed.length > 0) return result;
  for (const [what, check] of Object.entries(checks)) {
    const failures = result.failed.length;
    await attempt(what, () => check({ site, home }));
    if (result.failed.length === failures) result.passed.push(what);
  }
  await close?.();
  return result;
}

const folder = await mkdtemp(join(tmpdir(), 'clients-'));
const results: Result[] = [];
try {
  const site = await startClientSite(join(folder, 'site'));
  try {
    for (const [name, program] of chosen)
      results.push(await drive(name, program, site, join(folder, name)));
  } finally {
    await site.close();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(writeReport(results));
if (results.some(({ failed }) => failed.length > 0)) process.exitCode = 1;
