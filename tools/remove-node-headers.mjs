/**
 * Runs after every install. The pinned Node comes with 67 MB of C++ headers for compiling native
 * add-ons, which this project doesn't do. Plain JavaScript, because the machine's own Node runs it.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const packages = join(import.meta.dirname, '..', 'node_modules');

for (const name of readdirSync(packages)) {
  if (/^node-(bin-)?(linux|darwin|win)-/.test(name))
    rmSync(join(packages, name, 'include'), { recursive: true, force: true });
}
