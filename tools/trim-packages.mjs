/**
 * Runs after every install and deletes what big packages bring but nothing here uses: the pinned
 * Node's C++ headers, the CommonJS copies of ffmpeg and Stripe, and Mixpanel's finished bundles (the
 * build reads its source). Plain JavaScript, because the machine's own Node runs it.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const packages = join(import.meta.dirname, '..', 'node_modules');
const nodePackages = readdirSync(packages).filter((name) =>
  /^node-(bin-)?(linux|darwin|win)-/.test(name),
);

for (const path of [
  ...nodePackages.map((name) => join(name, 'include')),
  '@ffmpeg/core/dist/umd',
  'stripe/cjs',
  'mixpanel-browser/dist',
])
  rmSync(join(packages, path), { recursive: true, force: true });
