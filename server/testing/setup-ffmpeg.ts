import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import type {} from './vitest-context.ts';

/** Where all processes of one run of the tests find what ffmpeg has made for one of them. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const folder = await mkdtemp(join(tmpdir(), 'test-ffmpeg-'));
  project.provide('ffmpegRuns', folder);
  return () => rm(folder, { recursive: true, force: true });
};
