import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/** Preloaded into a server that a test starts: writes the address of every module it loads to a file. */
const { RECORD_MODULES: file = '' } = process.env;

registerHooks({
  load: (url, context, nextLoad) => {
    appendFileSync(file, `${url}\n`);
    return nextLoad(url, context);
  },
});
