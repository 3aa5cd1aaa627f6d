/** What whoever sits at the console may do as well. */
export { changeAdmin } from './acts.ts';
