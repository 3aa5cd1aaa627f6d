import { describe, expect, it } from 'vitest';
import { loadAccount } from '#web/offline/store/account.ts';
import { createSessionAnswers, findSavedUser } from './session-answers.ts';
import { createMemoryCaches } from '#web/offline/testing/memory-caches.ts';

const answerUser = (id: string) => Response.json({ id, offlineUntil: null });
const refuse = () => new Response(null, { status: 401 });
const done = () => new Response(null, { status: 204 });

function openBrowser() {
  const storage = createMemoryCaches();
  const answers = createSessionAnswers(storage);
  return {
    answers,
    /** Sends a check, and returns what lets its answer arrive. */
    sendCheck() {
      const { promise, resolve } = Promise.withResolvers<Response>();
      const checked = answers.check(() => promise);
      return async (response: Response) => {
        resolve(response);
        await checked;
      };
    },
    async readUser(): Promise<string | undefined> {
      const user = (await (await findSavedUser(storage))?.json()) as { id: string } | undefined;
      expect((await loadAccount(storage))?.userId).toBe(user?.id);
      return user?.id;
    },
    readNames: () => storage.keys(),
  };
}

describe('the saved user', () => {
  it('is the one of the last login or check, and leaves with the logout or a 401', async () => {
    const { answers, sendCheck, readUser } = openBrowser();
    await answers.logIn(async () => answerUser('sipho'));
    expect(await readUser()).toBe('sipho');
    await answers.logOut(async () => done());
    expect(await readUser()).toBeUndefined();
    await sendCheck()(answerUser('naledi'));
    expect(await readUser()).toBe('naledi');
    await sendCheck()(new Response(null, { status: 503 }));
    expect(await readUser()).toBe('naledi');
    await sendCheck()(refuse());
    expect(await readUser()).toBeUndefined();
  });

  it('does not return with the late answer to a check from before the logout', async () => {
    const { answers, sendCheck, readUser, readNames } = openBrowser();
    await answers.logIn(async () => answerUser('sipho'));
    const answerLate = sendCheck();
    await answers.logOut(async () => done());
    await answerLate(answerUser('sipho'));
    expect(await readUser()).toBeUndefined();
    expect(await readNames()).not.toContain('api:sipho');
  });

  it('stays when a check from before the login is answered late', async () => {
    const { answers, sendCheck, readUser } = openBrowser();
    const answerLate = sendCheck();
    await answers.logIn(async () => answerUser('sipho'));
    await answerLate(refuse());
    expect(await readUser()).toBe('sipho');
  });

  it('is gone after a logout that is answered while a check is being saved', async () => {
    const { answers, sendCheck, readUser, readNames } = openBrowser();
    const checked = sendCheck()(answerUser('sipho'));
    const left = answers.logOut(async () => done());
    await Promise.all([checked, left]);
    expect(await readUser()).toBeUndefined();
    expect(await readNames()).not.toContain('api:sipho');
  });

  it('stays when the logout fails', async () => {
    const { answers, readUser } = openBrowser();
    await answers.logIn(async () => answerUser('sipho'));
    await answers.logOut(async () => new Response(null, { status: 500 }));
    expect(await readUser()).toBe('sipho');
  });
});
