/** The numbers that reports read, written in the transaction of what they count. */
export { countPlay, forgetVisits, type CountedPlay } from './count-play.ts';
export type { MoneyFact, PaidHistory, PaidPeriod } from './ledger-figures.ts';
export { moveReach } from './move-reach.ts';
export { notePayments } from './note-payments.ts';
