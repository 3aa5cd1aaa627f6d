/** Loaded with the first use: the rules that the server applies too. */
export { NewGift } from '#contract/paying/pay-once.ts';
