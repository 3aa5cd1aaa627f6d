import type { FastifyRequest } from 'fastify';
import type { Config } from '../../../config.ts';
import { isLocalRequest } from '../../../http/route/address.ts';
import { readSessionToken } from '../../../http/route/sessions.ts';
import { readDeviceCookie } from './known-devices.ts';

/** Where a login comes from. */
export type LoginContext = {
  userAgent: string;
  ip: string;
  /** The session the browser already had; the new one replaces it. */
  oldToken: string | null;
  /** Says which accounts this device is known to. */
  deviceCookie: string | null;
  /** True for requests from this machine that did not come through a proxy. */
  isLocal: boolean;
};

export const toLoginContext = (config: Config, request: FastifyRequest): LoginContext => ({
  userAgent: request.headers['user-agent'] ?? '',
  ip: request.ip,
  oldToken: readSessionToken(config, request),
  deviceCookie: readDeviceCookie(config, request),
  isLocal: isLocalRequest(request),
});

/** How someone proved who they are. */
type LoginMethod = 'password' | 'password and code' | 'passkey' | 'registration';

/** For an operator who looks for the login of a thief. */
export const logLogin = (request: FastifyRequest, account: string, method: LoginMethod) =>
  request.log.info({ reqId: request.id, account, ip: request.ip, method }, 'Logged in.');
