import { beforeEach, expect, it } from 'vitest';
import { createMemoryCheck } from './release-memory.ts';

const MB = 1024 ** 2;

let load: number;
let memory: number;
let releases: number;
let check: () => Promise<void>;
beforeEach(() => {
  load = 0.01;
  memory = 170 * MB;
  releases = 0;
  check = createMemoryCheck({
    readLoad: () => load,
    readMemory: () => memory,
    release: async () => {
      releases += 1;
      memory = 120 * MB;
    },
  });
});

it('gives memory back once the process is quiet, and not while it works', async () => {
  load = 0.6;
  await check();
  expect(releases).toBe(0);
  load = 0.01;
  await check();
  expect([releases, memory]).toEqual([1, 120 * MB]);
});

it('does so again only after the process has grown', async () => {
  await check();
  await check();
  memory = 125 * MB;
  await check();
  expect(releases).toBe(1);
  memory = 130 * MB;
  await check();
  expect(releases).toBe(2);
});
