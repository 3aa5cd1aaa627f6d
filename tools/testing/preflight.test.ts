import { expect, test } from 'vitest';
import { checkMachine, listNeeds, type Need } from './preflight.ts';

async function check(...needs: Need[]): Promise<{ canRun: boolean; lines: string[] }> {
  const lines: string[] = [];
  const canRun = await checkMachine(needs, (line) => lines.push(line.replaceAll(/ +/g, ' ')));
  return { canRun, lines };
}

const nowhere = () => undefined;
const browser = { name: 'Chromium', find: () => '/usr/bin/chromium' };
const nginx = { name: 'nginx', find: nowhere, without: 'its tests are skipped' };

test('says where the machine has what the tests need, and what is lost without the rest', async () => {
  const { canRun, lines } = await check(browser, nginx);
  expect(canRun).toBe(true);
  expect(lines).toEqual([
    '✓ Chromium /usr/bin/chromium',
    '– nginx not found: its tests are skipped',
  ]);
});

test('names everything that is missing before it gets the first of it', async () => {
  const database = { name: 'PostgreSQL', find: nowhere, get: () => '.cache/postgres' };
  const { canRun, lines } = await check({ ...browser, find: nowhere, get: () => '/new' }, database);
  expect(canRun).toBe(true);
  expect(lines).toEqual([
    '✗ Chromium not found',
    '✗ PostgreSQL not found',
    '✓ Chromium /new',
    '✓ PostgreSQL .cache/postgres',
  ]);
});

test('stops the run with one sentence for each thing that can’t be had', async () => {
  const refuse = (message: string) => () => {
    throw new Error(message);
  };
  const { canRun, lines } = await check(
    { name: 'Chromium', find: nowhere, get: refuse('Install Chromium.') },
    { name: 'PostgreSQL', find: nowhere, get: refuse('Install PostgreSQL.') },
  );
  expect(canRun).toBe(false);
  expect(lines.slice(2)).toEqual(['✗ Install Chromium.', '✗ Install PostgreSQL.']);
});

test('looks only for what the chosen parts use', () => {
  const names = (...parts: string[]) => listNeeds(new Set(parts)).map(({ name }) => name);
  expect(names('lint', 'types')).toEqual([]);
  expect(names('e2e')).toEqual(['Chromium']);
  expect(names('unit')).toContain('PostgreSQL');
});
