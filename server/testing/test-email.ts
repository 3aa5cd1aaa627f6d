import type { TestApp } from './test-app.ts';
import { readTables } from './read-tables.ts';
import { PASSWORD, type TestUser } from './test-user.ts';

/** The mails to an address, oldest first. */
export async function readMails({ clock, deps, worker }: TestApp, to: string) {
  // Mails of the same millisecond have no order.
  clock.advance(1);
  await worker.runDue();
  const { outbox } = await readTables(deps.database.db);
  return outbox.filter(({ recipient }) => recipient === to);
}

/** The token of the link in the last mail to an address; empty if there is none. */
export async function readToken(test: TestApp, to: string): Promise<string> {
  const last = (await readMails(test, to)).at(-1);
  const link = /\/(?:confirm-email|undo-email-change)\/([\w-]+)/.exec(last?.body_text ?? '');
  return link?.[1] ?? '';
}

export const openLink = ({ app }: TestApp, kind: 'confirm' | 'undo', token: string) =>
  app.inject({ method: 'POST', url: `/api/auth/email/${kind}`, payload: { token } });

export const requestEmail = (
  { client, user }: TestUser,
  email: string,
  proof: object = { password: PASSWORD },
) =>
  client.request({ method: 'PATCH', url: `/api/users/${user.id}`, payload: { email, ...proof } });

/** Asks for the change and confirms it. */
export async function changeEmail(test: TestApp, testUser: TestUser, email: string) {
  await requestEmail(testUser, email);
  return openLink(test, 'confirm', await readToken(test, email));
}
