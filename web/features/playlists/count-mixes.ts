import { formatCount } from '#web/lib/format.ts';
export const formatMixCount = (mixes: number): string =>
  formatCount(mixes, 'mix', 'mixes');
