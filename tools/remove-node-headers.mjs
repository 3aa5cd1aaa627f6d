/**
 * Runs after every install. The packages of the pinned Node bring 67 MB of C++ headers that only
 * native add-ons would need, and nothing here compiles any. Plain JavaScript: the machine's own
 * Node runs this.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const packages = join(import.meta.dirname, '..', 'node_modules');

for (const name of readdirSync(packages)) {
  if (/^node-(bin-)?(linux|darwin|win)-/.test(name))
    rmSync(join(packages, name, 'include'), { recursive: true, force: true });
}
