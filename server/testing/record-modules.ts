import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/**
 * Preloaded into a server that a test starts, as `record-modules.ts?file=…`: writes the address of
 * every module it loads to that file, and the names of the parts of Node that were loaded by then.
 */
const file = new URL(import.meta.url).searchParams.get('file') ?? '';
const { moduleLoadList = [] } = process as { moduleLoadList?: string[] };
let written = 0;

registerHooks({
  load: (url, context, nextLoad) => {
    const lines = [url, ...moduleLoadList.slice(written)];
    written = moduleLoadList.length;
    appendFileSync(file, lines.map((line) => `${line}\n`).join(''));
    return nextLoad(url, context);
  },
});
