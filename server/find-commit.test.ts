import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findCommit } from './find-commit.ts';

const run = promisify(execFile);

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'commit-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFile(join(root, name), text);
const git = async (...args: string[]) =>
  (
    await run('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args])
  ).stdout.trim();

describe('the commit that runs', () => {
  it('is git’s, and says when the files are not exactly those of it', async (ctx) => {
    const hasGit = await run('git', ['--version']).catch(() => null);
    if (!hasGit) ctx.skip('git is not installed');
    await git('init', '--quiet');
    expect(await findCommit(root)).toBeNull();
    await write('server.ts', 'one');
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'One');
    const commit = await git('rev-parse', '--short=12', 'HEAD');
    expect(commit).toMatch(/^[0-9a-f]{12}$/);
    // A file of an earlier build says nothing here.
    expect(await findCommit(root)).toBe(commit);
    await write('server.ts', 'two');
    expect(await findCommit(root)).toBe(`${commit}-modified`);
    await git('checkout', '--', 'server.ts');
    expect(await findCommit(root)).toBe(commit);
    await write('new.ts', 'three');
    expect(await findCommit(root)).toBe(`${commit}-modified`);
  });

  it.each([
    ['3c3428b3d0aa\n', '3c3428b3d0aa'],
    ['3c3428b3d0aa-modified', '3c3428b3d0aa-modified'],
    ['', null],
    ['main', null],
    ['<b>3c3428b3d0aa</b>', null],
  ])('is read from the file of a build without git: %j', async (text, expected) => {
    expect(await findCommit(root)).toBeNull();
    await write('commit.txt', text);
    expect(await findCommit(root)).toBe(expected);
  });
});
