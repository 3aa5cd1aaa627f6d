import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { findAppViewer, type AppCredentials, type AppViewer } from '../app-passwords/service.ts';
import { SubsonicError } from './errors.ts';
import type { Params } from './params.ts';

/** Of a real password, about ten times. */
const MAX_LENGTH = 300;
const MAX_CLIENT = 60;

/** `enc:` and the bytes in hexadecimal; anything else is the password itself. */
function decodePassword(password: string): string {
  const hex = /^enc:((?:[0-9a-f]{2})*)$/i.exec(password)?.[1];
  return hex === undefined ? password : Buffer.from(hex, 'hex').toString('utf8');
}

function find(params: Params, name: string): string | undefined {
  const [value, ...more] = params.all(name);
  // With two usernames or two passwords, nobody knows which one counts.
  if (more.some((other) => other !== value)) throw new SubsonicError(43);
  return value === undefined || value.length > MAX_LENGTH ? value?.slice(0, MAX_LENGTH) : value;
}

/** What an app sent to say who it is, by the rules of the protocol. */
function readCredentials(params: Params): AppCredentials {
  const [username, password, token, salt, apiKey] = ['u', 'p', 't', 's', 'apiKey'].map((name) =>
    find(params, name),
  );
  if (apiKey !== undefined) {
    const others = [username, password, token, salt];
    if (others.some((value) => value !== undefined)) throw new SubsonicError(43);
    return { apiKey };
  }
  if (!username) throw new SubsonicError(10, 'The required parameter u is missing.');
  // An app that knows both ways sends the other one empty.
  const hasToken = Boolean(token || salt);
  if (password && hasToken) throw new SubsonicError(43);
  if (password !== undefined && !hasToken) return { username, password: decodePassword(password) };
  if (token === undefined && salt === undefined)
    throw new SubsonicError(10, 'The required parameter p, or t and s, is missing.');
  if (!token) throw new SubsonicError(10, 'The required parameter t is missing.');
  if (salt === undefined) throw new SubsonicError(10, 'The required parameter s is missing.');
  return { username, token, salt };
}

/** What the app calls itself, fit to be shown. */
export const readClient = (params: Params): string =>
  (params.find('c') ?? '')
    .toWellFormed()
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, MAX_CLIENT);

export async function authenticate(
  deps: Deps,
  params: Params,
  { ip, id }: Pick<FastifyRequest, 'ip' | 'id'>,
): Promise<AppViewer> {
  const credentials = readCredentials(params);
  const request = { ip, client: readClient(params), requestId: id };
  const viewer = await findAppViewer(deps, credentials, request);
  if (!viewer) throw new SubsonicError('apiKey' in credentials ? 44 : 40);
  return viewer;
}
