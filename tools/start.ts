import { setThreadCount } from '#server/background/thread-count.ts';
import { join } from 'node:path';
import { runNode } from './run-node.ts';
import { isWebBuildCurrent } from './source-hash.ts';

setThreadCount();
const root = join(import.meta.dirname, '..');

async function buildWhenStale(): Promise<boolean> {
  if (await isWebBuildCurrent(root)) return true;
  console.log('Building the web app …');
  // In a separate process, so that the server doesn't keep the bundler in memory.
  return (await runNode([join(root, 'tools/build-web.ts')])) === 0;
}

if (await buildWhenStale()) {
  await import('#server/main.ts');
} else {
  console.error('The server did not start because the web app could not be built.');
  process.exitCode = 1;
}
