import {
  apiCacheName,
  loadAccount,
  saveUser,
  type CurrentUser,
} from '#web/offline/store/account.ts';

import { noteRemoved } from '#web/offline/store/refused-saves.ts';
import { isSavedCache } from '#web/offline/store/saved-file.ts';

const USER_PATH = '/api/auth/me';

/** The time on the server's clock, not on this device's. */
const parseServerTime = (response: Response): number =>
  Date.parse(response.headers.get('date') ?? '') || Date.now();

/** The page also reads the user from this cache, when the server doesn't answer. */
async function saveAnsweredUser(storage: CacheStorage, response: Response): Promise<void> {
  const user = (await response.clone().json()) as CurrentUser & { isSubscriber?: boolean };
  const names = await storage.keys();
  const hadSaves = names.some((name) => isSavedCache(name, user.id));
  await saveUser(storage, user, parseServerTime(response));
  // Whoever lost access knows why. Others still pay, and the site stopped saving.
  if (hadSaves && user.offlineUntil === null && user.isSubscriber) await noteRemoved(storage);
  const cache = await storage.open(apiCacheName(user.id));
  await cache.put(USER_PATH, response);
}

export async function findSavedUser(storage: CacheStorage): Promise<Response | undefined> {
  const account = await loadAccount(storage);
  const cache = account && (await storage.open(apiCacheName(account.userId)));
  return cache?.match(USER_PATH);
}

type Send = () => Promise<Response>;

/**
 * Saves what each answer says about the user, one after the other. The answer to a check that was
 * sent before a login or logout may arrive after it; such an answer is out of date.
 */
export function createSessionAnswers(storage: CacheStorage) {
  /** How many logins and logouts have been answered. */
  let changes = 0;
  let saving: Promise<void> = Promise.resolve();

  function save(response: Response, hasUser: boolean): Promise<void> {
    const copy = response.clone();
    const done = saving.then(() =>
      hasUser
        ? saveAnsweredUser(storage, copy)
        : saveUser(storage, null, parseServerTime(response)),
    );
    saving = done.catch(() => undefined);
    return done;
  }

  async function change(send: Send, hasUser: boolean): Promise<Response> {
    const response = await send();
    if (!response.ok) return response;
    changes += 1;
    await save(response, hasUser);
    return response;
  }

  return {
    logIn: (send: Send) => change(send, true),
    logOut: (send: Send) => change(send, false),
    async check(send: Send): Promise<Response> {
      const changesBefore = changes;
      const response = await send();
      const saysWho = response.ok || response.status === 401;
      if (saysWho && changes === changesBefore) await save(response, response.ok);
      return response;
    },
  };
}
