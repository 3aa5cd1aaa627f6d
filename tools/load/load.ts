import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { describeLoad, runLoad } from './run-load.ts';

/**
 * Many listeners on this machine, below and above what the server can answer, for about four minutes.
 * Needs `npm run build`.
 *
 *   npm run load -- [--listeners 2000] [--seconds 100] [--rate 300] [--short]
 */
const { values } = parseArgs({
  options: {
    listeners: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '100' },
    rate: { type: 'string', default: '300' },
    short: { type: 'boolean', default: false },
  },
});

const result = await runLoad(
  values.short
    ? { listeners: 20, seconds: 3, rate: 20 }
    : {
        listeners: Number(values.listeners),
        seconds: Number(values.seconds),
        rate: Number(values.rate),
      },
);
const cpu = /model name\s*: (.+)/.exec(
  await readFile('/proc/cpuinfo', 'utf8').catch(() => ''),
)?.[1];
console.log([...describeLoad(result), ...(cpu ? [`Processor: ${cpu}`] : [])].join('\n'));
if (result.unexpected.length > 0) process.exitCode = 1;
