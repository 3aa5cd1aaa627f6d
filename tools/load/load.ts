import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { describeLoad, describeRelease } from './describe-load.ts';
import { runLoad } from './run-load.ts';
import { runRelease } from './run-release.ts';
import { MODES, type Mode } from './start-site.ts';

/**
 * Many listeners on this machine, below and above what the server can answer, for about four minutes,
 * or the minutes after a release mail. Needs `npm run build`; docs/figures.md has what it printed.
 *
 *   npm run load -- [--mode sqlite|postgres|servers] [--listeners 2000] [--seconds 100] [--rate 300]
 *   npm run load -- --release [--mode …] [--members 10000] [--share 0.4] [--seconds 150]
 *
 * `--short` is a quick try of either.
 */
const { values } = parseArgs({
  options: {
    mode: { type: 'string', default: 'sqlite' },
    listeners: { type: 'string', default: '2000' },
    seconds: { type: 'string' },
    rate: { type: 'string', default: '300' },
    release: { type: 'boolean', default: false },
    members: { type: 'string', default: '10000' },
    share: { type: 'string', default: '0.4' },
    short: { type: 'boolean', default: false },
  },
});

const isMode = (text: string): text is Mode => Object.hasOwn(MODES, text);
if (!isMode(values.mode)) throw new Error(`--mode is one of ${Object.keys(MODES).join(', ')}.`);
const { mode, short } = values;

async function printLoad(): Promise<readonly string[]> {
  const result = await runLoad({
    mode,
    listeners: short ? 20 : Number(values.listeners),
    seconds: short ? 3 : Number(values.seconds ?? 100),
    rate: short ? 20 : Number(values.rate),
  });
  console.log(describeLoad(result).join('\n'));
  return result.unexpected;
}

async function printRelease(): Promise<readonly string[]> {
  const result = await runRelease({
    mode,
    members: short ? 200 : Number(values.members),
    seconds: short ? 15 : Number(values.seconds ?? 150),
    share: Number(values.share),
  });
  console.log(describeRelease(result).join('\n'));
  return result.unexpected;
}

const unexpected = await (values.release ? printRelease() : printLoad());
const cpu = /model name\s*: (.+)/.exec(
  await readFile('/proc/cpuinfo', 'utf8').catch(() => ''),
)?.[1];
if (cpu) console.log(`Processor: ${cpu}`);
if (unexpected.length > 0) process.exitCode = 1;
