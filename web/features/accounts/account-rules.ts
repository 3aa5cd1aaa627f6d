/** The rules of the forms on public pages, and with them zod, load when someone fills in a form. */
export { LoginBody, RegisterBody, ResetConfirmBody, ResetRequestBody } from '#contract/accounts.ts';
