import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Written where the program is built without git, as in an image. */
const FILE = 'commit.txt';
const COMMIT = /^[0-9a-f]{7,40}(?:-modified)?$/;
const LENGTH = 12;

const run = promisify(execFile);

/** Whoever runs the site may not own its folder, and looking must change nothing in it. */
const OPTIONS = ['--no-optional-locks', '-c', 'safe.directory=*', '-c', 'core.fsmonitor=false'];

async function askGit(root: string): Promise<string | null> {
  const ask = async (...question: string[]) => {
    const { stdout } = await run('git', [...OPTIONS, '-C', root, ...question]);
    return stdout.trim();
  };
  try {
    const commit = await ask('rev-parse', `--short=${LENGTH}`, 'HEAD');
    const isModified = (await ask('status', '--porcelain')) !== '';
    return isModified ? `${commit}-modified` : commit;
  } catch {
    // Without git nobody can tell whether something was changed since the commit.
    return null;
  }
}

/**
 * The commit of the files that run, `-modified` if they are not exactly those of it; null if nobody can
 * tell. Ask at the start: later the folder may have a newer one.
 */
export async function findCommit(root = join(import.meta.dirname, '..')): Promise<string | null> {
  if (existsSync(join(root, '.git'))) return askGit(root);
  const text = await readFile(join(root, FILE), 'utf8').catch(() => '');
  return COMMIT.test(text.trim()) ? text.trim() : null;
}
