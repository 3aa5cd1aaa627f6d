import { expect } from 'vitest';
import type { AdminLetter } from '#contract/admin/letters.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { sendLetters } from '../features/letters/jobs.ts';
import { savePreferences } from '../features/preferences/service.ts';
import type { Mail, MailMessage, SendOptions } from '../ports/mail/mail.ts';
import { confirmDevices, createHelper } from './test-admin.ts';
import { createTestApp } from './test-app.ts';
import { createUser, payUntil, type TestUser } from './test-user.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
const NEEDS_PASSWORD = /\/(send|go-on)$/;

/** What a job gets that runs once. */
export const running = (signal = new AbortController().signal) => ({
  id: '',
  attempt: 1,
  maxAttempts: 1,
  signal,
  finish: async () => undefined,
});

export type LetterSite = Awaited<ReturnType<typeof startLetterSite>>;

/** A site whose helper writes letters, with a mail server that takes what a test lets it take, or none. */
export async function startLetterSite({ hasMail = true } = {}) {
  const sent: MailMessage[] = [];
  /** What the mail server does with a message that it has taken. */
  const server = {
    onMail: (_message: MailMessage, _options: SendOptions): Promise<unknown> | undefined =>
      undefined,
  };
  const mail: Mail = {
    send: async (message, options = {}) => {
      await options.beforeHandOver?.();
      await server.onMail(message, options);
      sent.push(message);
    },
    close: () => undefined,
  };
  const smtp = { url: 'smtp://127.0.0.1:1', from: 'Music <music@example.com>' };
  const test = await createTestApp(
    hasMail ? { hasPage: true, config: { smtp }, mail } : { config: { demo: false } },
  );
  const { deps, clock } = test;
  const { db } = deps.database;
  const helper = await createHelper(test);

  const ask = (method: Method, path: string, payload?: object, { client } = helper) =>
    client.request({ method, url: `/api/admin/letters${path}`, ...(payload && { payload }) });

  async function call<T>(method: Method, path: string, payload?: object): Promise<T> {
    if (NEEDS_PASSWORD.test(path)) await confirmDevices(test, helper);
    const answer = await ask(method, path, payload);
    expect([path, answer.statusCode, answer.body.slice(0, 300)]).toEqual([
      path,
      200,
      expect.any(String),
    ]);
    return answer.json<T>();
  }

  const save = (letter: AdminLetter, values: object) =>
    call<AdminLetter>('PATCH', `/${letter.id}`, { version: letter.version, ...values });

  return {
    ...test,
    helper,
    sent,
    server,
    ask,
    call,
    save,
    async refusal(method: Method, path: string, payload?: object) {
      if (NEEDS_PASSWORD.test(path)) await confirmDevices(test, helper);
      const { code, message, fields } = (await ask(method, path, payload)).json<ErrorBody>();
      return { code, message, fields };
    },
    async write(values: object = {}): Promise<AdminLetter> {
      clock.advance(1);
      const letter = await call<AdminLetter>('POST', '');
      return save(letter, { subject: 'We play Cape Town', body: 'See you **there**.', ...values });
    },
    read: ({ id }: { id: string }) => call<AdminLetter>('GET', `/${id}`),
    send: ({ id, version }: AdminLetter, at: number | null = null) =>
      call<AdminLetter>('POST', `/${id}/send`, { version, at }),
    /** Wants news, at a confirmed address. */
    async createReader(name: string, paidThrough: number | null = null): Promise<TestUser> {
      const reader = await createUser(test, name);
      await savePreferences(db, reader.user.id, { newsMails: true }, clock.now());
      if (paidThrough !== null) await payUntil(test, reader.user, paidThrough);
      return reader;
    },
    /** Everything that is due now; of what was sent, only letters are kept. */
    async deliver() {
      await sendLetters.execute(deps, '{}', running());
      await test.worker.runDue();
      const letters = sent.filter(({ text }) => text.includes('product news'));
      sent.splice(0, sent.length, ...letters);
    },
    recipients: () => sent.map(({ to }) => to.replace('@example.com', '')).toSorted(),
    listRows: () =>
      db.selectFrom('letter_mails').selectAll().orderBy('letter_id').orderBy('user_id').execute(),
    async unsubscribe({ unsubscribeUrl = '' }: MailMessage): Promise<number> {
      const url = unsubscribeUrl.slice(deps.site.origin.length);
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const payload = 'List-Unsubscribe=One-Click';
      return (await test.app.inject({ method: 'POST', url, headers, payload })).statusCode;
    },
  };
}
