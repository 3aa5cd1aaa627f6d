import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseConfig } from '../config.ts';
import { closeDeps, createDeps } from '../deps.ts';
import { buildDummyHash, hashPassword, OWASP_COST, verifyPassword } from './passwords.ts';

const OWASP = '$argon2id$v=19$m=19456,t=2,p=1$';

it('hashes passwords as OWASP recommends, and checking an unknown user takes as long', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'passwords-'));
  const deps = await createDeps(parseConfig({ DATA_DIR: dataDir }));
  const hash = await hashPassword('quiet harbour', deps.passwordCost);
  await closeDeps(deps);
  await rm(dataDir, { recursive: true });
  const dummy = buildDummyHash(deps.passwordCost);
  expect([hash.startsWith(OWASP), dummy.startsWith(OWASP)]).toEqual([true, true]);
});

it('treats two encodings of the same characters as one password', async () => {
  const hash = await hashPassword('Cafe\u0301 del sol');
  expect(await verifyPassword(hash, 'Caf\u00e9 del sol', OWASP_COST)).toBe(true);
  expect(await verifyPassword(undefined, 'Caf\u00e9 del sol', OWASP_COST)).toBe(false);
});
