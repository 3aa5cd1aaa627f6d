import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import type {} from './vitest-context.ts';

/** A folder in which all processes of a test run share ffmpeg's output. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const folder = await mkdtemp(join(tmpdir(), 'test-ffmpeg-'));
  project.provide('ffmpegRuns', folder);
  return () => rm(folder, { recursive: true, force: true });
};
