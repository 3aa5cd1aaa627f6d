import { baseline } from '../baseline/baseline.ts';
import type { Migration } from './migration.ts';

/** In the order they run. A new one goes to the end. */
export const migrations: readonly Migration[] = [baseline];
