import { formatCount } from '#web/lib/format.ts';
export const countMixes = (mixes: number): string =>
  formatCount(mixes, 'mix', 'mixes');
