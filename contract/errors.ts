import { z } from 'zod';

/** Every error code of the API and its HTTP status. The web app decides by code, never by text. */
export const errorStatus = {
  malformed_request: 400,
  validation_failed: 400,
  reset_token_invalid: 400,
  unauthenticated: 401,
  invalid_credentials: 401,
  totp_required: 401,
  totp_invalid: 401,
  forbidden: 403,
  cross_origin: 403,
  demo_only_local: 403,
  demo_account: 403,
  account_disabled: 403,
  wrong_password: 403,
  subscribers_only: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  username_taken: 409,
  email_taken: 409,
  last_admin: 409,
  totp_on: 409,
  totp_not_started: 409,
  already_subscribed: 409,
  not_subscribed: 409,
  gift_redeemed: 409,
  code_taken: 409,
  playlist_changed: 409,
  settings_changed: 409,
  settings_fixed: 409,
  playlist_full: 409,
  playlist_limit: 409,
  track_changed: 409,
  no_master: 409,
  upload_changed: 409,
  upload_over: 409,
  upload_offset: 409,
  upload_gone: 410,
  tus_required: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  invalid_image: 422,
  coupon_invalid: 422,
  audio_refused: 422,
  upload_busy: 423,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  mail_refused: 502,
  unavailable: 503,
  provider_unavailable: 503,
  disk_full: 507,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof errorStatus;

const errorCodes = Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]];

export const ErrorBody = z.object({
  code: z.enum(errorCodes),
  message: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
