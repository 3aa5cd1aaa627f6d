import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startClientSite } from './client-site.ts';
import { programs } from './programs.ts';

/**
 * Starts a site with three mixes on this machine and drives the podcast and music programs that are
 * installed. It installs nothing. Prints a table, and fails if a program that is here can't do something.
 *
 *   npm run clients -- [--only mpv]
 */
const { values } = parseArgs({ options: { only: { type: 'string' } } });

const folder = await mkdtemp(join(tmpdir(), 'clients-'));
const rows: string[] = [];
const failures: string[] = [];
try {
  const site = await startClientSite(join(folder, 'site'));
  try {
    for (const [name, program] of Object.entries(programs)) {
      if (values.only !== undefined && values.only !== name) continue;
      const version = await program.findVersion();
      if (version === null) {
        rows.push(`| ${name} | – | not here | ${program.cannot} |`);
        continue;
      }
      const home = join(folder, name);
      await mkdir(home);
      const passed: string[] = [];
      const close = await program.open?.({ site, home });
      for (const [what, check] of Object.entries(program.checks)) {
        const problem = await check({ site, home }).then(
          () => null,
          (error: unknown) => String(error),
        );
        if (problem === null) passed.push(what);
        else failures.push(`${name}, ${what}: ${problem}`);
      }
      await close?.();
      rows.push(`| ${name} | ${version} | ${passed.join(', ')} | ${program.cannot} |`);
    }
  } finally {
    await site.close();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
const head = ['| Program | Version | Passed | Can’t be tried |', '| --- | --- | --- | --- |'];
console.log([...head, ...rows, ...failures.map((failure) => `FAILED ${failure}`)].join('\n'));
if (failures.length > 0) process.exitCode = 1;
