import type { ErrorCode } from '#contract/errors.ts';
import { AppError } from '../../http/route/app-error.ts';

/** The protocol's own error codes. */
export type SubsonicCode = 0 | 10 | 40 | 43 | 44 | 50 | 70;

const messages: Record<SubsonicCode, string> = {
  0: 'Something went wrong.',
  10: 'A required parameter is missing.',
  40: 'Wrong username or password. Music apps need a password of their own: create one under “Music apps” on the settings page.',
  43: 'Use either a username with a password, or an API key.',
  44: 'This API key is wrong, or was deleted.',
  50: 'This isn’t allowed.',
  70: 'There’s nothing here.',
};

/** Our codes, for the log and the counters. */
const codes: Record<SubsonicCode, ErrorCode> = {
  0: 'malformed_request',
  10: 'malformed_request',
  40: 'invalid_credentials',
  43: 'malformed_request',
  44: 'invalid_credentials',
  50: 'forbidden',
  70: 'not_found',
};

export class SubsonicError extends AppError {
  override name = 'SubsonicError';
  readonly subsonicCode: SubsonicCode;

  constructor(code: SubsonicCode, message = messages[code]) {
    super(codes[code], { message });
    this.subsonicCode = code;
  }
}

/** No call has this name. The protocol leaves the status to us; 404 is what it says of extensions. */
export class UnknownCall extends SubsonicError {
  override name = 'UnknownCall';
  constructor() {
    super(70, 'This server doesn’t have this call.');
  }
}

const subsonicCodes: Partial<Record<ErrorCode, SubsonicCode>> = {
  not_found: 70,
  unauthenticated: 40,
  invalid_credentials: 40,
  subscribers_only: 50,
  files_off: 50,
  stream_elsewhere: 50,
  forbidden: 50,
};

export const findSubsonicCode = (error: AppError): SubsonicCode =>
  error instanceof SubsonicError ? error.subsonicCode : (subsonicCodes[error.code] ?? 0);

/** Apps read the protocol's errors from successful answers; only what isn't about the call has a status. */
export function findStatus(error: AppError): number {
  if (error instanceof UnknownCall) return 404;
  return error.status >= 500 || error.status === 429 || error.status === 413 ? error.status : 200;
}
