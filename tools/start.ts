import { join } from 'node:path';
import { runNode } from './run-node.ts';
import { isWebBuildCurrent } from './source-hash.ts';

const root = join(import.meta.dirname, '..');

async function buildWhenStale(): Promise<boolean> {
  if (await isWebBuildCurrent(root)) return true;
  console.log('Building the web app …');
  // A process of its own: the server that runs for months does not keep the bundler in memory.
  return (await runNode([join(root, 'tools/build-web.ts')])) === 0;
}

if (await buildWhenStale()) {
  await import('#server/main.ts');
} else {
  console.error('The web app could not be built, so the server does not start.');
  process.exitCode = 1;
}
