import * as module from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Preloaded by every npm script that runs TypeScript. Plain JavaScript, because an older Node can't
 * parse the scripts and would print a confusing error.
 */
const NEEDED_MAJOR = 24;
const major = Number(process.versions.node.split('.')[0]);

if (major < NEEDED_MAJOR) {
  process.stderr.write(
    `Node ${NEEDED_MAJOR} is required, but this is ${process.versions.node}. Run "npm ci" (without --omit=optional) to install the pinned version; ` +
      `if npm has none for ${process.platform} ${process.arch}, install Node ${NEEDED_MAJOR} from https://nodejs.org and put it first on the PATH.\n`,
  );
  process.exit(1);
}

// Compiled code without types: a start that finds it doesn't load the compiler for types.
module.enableCompileCache?.(fileURLToPath(new URL('../.cache/compiled', import.meta.url)));
