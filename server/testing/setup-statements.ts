import { rm } from 'node:fs/promises';
import { STATEMENTS } from '#tools/testing/statements.ts';

/** Forgets the statements of the last run. */
export const setup = (): Promise<void> => rm(STATEMENTS, { recursive: true, force: true });
