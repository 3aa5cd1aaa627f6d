import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startFirst } from './find-postgres.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'find-postgres-test-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

it('goes on to the next source when the PostgreSQL of the machine is broken, and says why', async () => {
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  for (const name of ['initdb', 'postgres'])
    writeFileSync(join(programs, name), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  vi.stubEnv('PATH', '');
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const postgres = await startFirst([
    { kind: 'machine', patterns: [programs] },
    { kind: 'server', url: 'postgres://next.example' },
  ]);
  expect(postgres?.url).toBe('postgres://next.example');
  expect(warn.mock.calls.flat()).toEqual([
    expect.stringMatching(/bin could not be used: .*did not start/),
  ]);
});
