import { errorStatus, type ErrorBody, type ErrorCode } from '#contract/errors.ts';

const messages: Record<ErrorCode, string> = {
  malformed_request: 'The request could not be read.',
  validation_failed: 'Some fields need attention.',
  reset_token_invalid: 'This reset link is no longer valid. Ask for a new one.',
  unauthenticated: 'Sign in to go on.',
  invalid_credentials: 'Invalid username or password',
  totp_required: 'Enter the code from your authenticator app.',
  totp_invalid: 'This code is not right, or was used already. Wait for the next one.',
  forbidden: 'You may not do this.',
  cross_origin: 'This request came from another site and was refused.',
  demo_only_local: 'Demo accounts can only sign in on the machine that runs the demo.',
  demo_account:
    'This demo account is shared by everybody here. Register an account of your own to try this.',
  account_disabled:
    'This account has been shut by the people who run this site. Write to them if you think that is a mistake.',
  wrong_password: 'This is not your present password.',
  subscribers_only: 'This is for Premium subscribers.',
  not_found: 'There is nothing here.',
  method_not_allowed: 'This address does not take that kind of request.',
  request_timeout: 'The request did not arrive in time.',
  username_taken: 'This username is taken. Choose another.',
  email_taken: 'An account with this e-mail address exists already.',
  last_admin: 'You are the only administrator. Make somebody else one first.',
  totp_on: 'Two-step login is on already.',
  totp_not_begun: 'Begin again: the secret that this code belongs to is gone.',
  already_subscribed: 'You are a Premium subscriber already. See your subscription page.',
  not_subscribed: 'There is no subscription to change. Choose a plan first.',
  gift_redeemed: 'This gift has been taken already.',
  code_taken: 'There is a code of this name already.',
  settings_changed:
    'Somebody else has changed the settings meanwhile. Look at them again, then save yours.',
  settings_fixed: 'This is set where the server is started, and can only be changed there.',
  playlist_changed: 'This playlist was changed meanwhile. Look at it again, then move the mix.',
  playlist_full: 'A playlist holds at most 1,000 tracks. Remove some, or start another playlist.',
  playlist_limit: 'You have 200 playlists, which is the most there can be. Delete one first.',
  track_changed:
    'Somebody else has changed this mix meanwhile. Look at their changes, then save again.',
  no_master:
    'The original file of this mix is not kept any more. Upload it again to replace the audio.',
  upload_changed:
    'Somebody else has changed this upload meanwhile. Look at their changes, then save again.',
  upload_over: 'This upload is over. Edit the mix it became, or upload the file again.',
  upload_offset: 'The file goes on at another place. Ask where, then continue there.',
  upload_gone: 'This upload was ended. Begin it again.',
  tus_required: 'Files are taken by the tus protocol, version 1.0.0.',
  payload_too_large: 'What was sent is too large.',
  unsupported_media_type: 'This kind of content is not accepted here.',
  invalid_image: 'This file is not an image we can read. Try a JPEG, PNG, WebP, GIF or AVIF.',
  coupon_invalid: 'This code is not valid, or not any more.',
  audio_refused: 'This is not an audio file. Upload MP3, M4A, AAC, FLAC, WAV, AIFF, OGG or Opus.',
  upload_busy: 'This file is being written already. Wait a moment.',
  rate_limited: 'Too many attempts. Try again later.',
  headers_too_large: 'The headers of the request are too large.',
  internal: 'Something went wrong on our side. Try again in a moment.',
  mail_refused: 'The mail server did not take the message.',
  unavailable: 'The service is not available right now. Try again in a moment.',
  provider_unavailable:
    'The payment company does not answer right now. Nothing was charged. Try again in a moment.',
  disk_full:
    'The disk of the server is full. What has arrived is kept: make room, then resume the upload.',
};

type Details = {
  message?: string;
  fields?: Record<string, string>;
  headers?: Record<string, string>;
};

/** A refusal that the caller may read: a code for programs and a sentence for people. */
export class AppError extends Error {
  override name = 'AppError';
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, { message, fields, headers }: Details = {}) {
    super(message ?? messages[code]);
    this.code = code;
    this.fields = fields;
    this.headers = headers ?? {};
  }

  get status(): number {
    return errorStatus[this.code];
  }

  toBody(): ErrorBody {
    const { code, message, fields } = this;
    return fields ? { code, message, fields } : { code, message };
  }
}
