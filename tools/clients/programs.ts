import { feedPrograms } from './feed-programs.ts';
import { players } from './players.ts';
import type { Program } from './program.ts';
import { pythonPrograms } from './python-programs.ts';
import { windowPrograms } from './window-programs.ts';

export const programs: Record<string, Program> = {
  ...feedPrograms,
  ...players,
  ...pythonPrograms,
  ...windowPrograms,
};
