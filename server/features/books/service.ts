export { readTotals } from './totals.ts';
