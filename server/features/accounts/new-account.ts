import type { z } from 'zod';
import type { RegisterBody } from '#contract/accounts.ts';
import type { Tx } from '../../db/connect.ts';
import { AppError } from '../../http/app-error.ts';
import { newId } from '../../ids.ts';
import { toAccountKey } from './account-keys.ts';
import { findTakenKeys, insertUser, setAdministrator, type UserRow } from './queries.ts';

export function describeTaken(taken: { username: boolean; email: boolean }): AppError {
  const code = taken.username ? 'username_taken' : 'email_taken';
  const { message } = new AppError(code);
  const fields = {
    ...(taken.username ? { username: new AppError('username_taken').message } : {}),
    ...(taken.email ? { email: new AppError('email_taken').message } : {}),
  };
  return new AppError(code, { message, fields });
}

type NewAccount = Pick<z.output<typeof RegisterBody>, 'username' | 'email'> & {
  passwordHash: string;
};

/** Throws when one of the two names is taken. */
export async function addAccount(tx: Tx, account: NewAccount, now: number): Promise<UserRow> {
  const keys = {
    username_key: toAccountKey(account.username),
    email_key: toAccountKey(account.email),
  };
  const user = await insertUser(tx, {
    id: newId(now),
    username: account.username,
    email: account.email,
    ...keys,
    password_hash: account.passwordHash,
    created_at: now,
  });
  if (!user) throw describeTaken(await findTakenKeys(tx, keys, ''));
  return user;
}

export async function addAdministrator(tx: Tx, account: NewAccount, now: number): Promise<UserRow> {
  const user = await addAccount(tx, account, now);
  await setAdministrator(tx, user.id, 1, now);
  return { ...user, is_admin: 1 };
}
