import { findOutage } from '../../outage.ts';
import { errorStatus, type ErrorBody, type ErrorCode } from '#contract/errors.ts';

const messages: Record<ErrorCode, string> = {
  malformed_request: 'The request is malformed.',
  validation_failed: 'Some fields need attention.',
  reset_token_invalid: 'This reset link is no longer valid. Request a new one.',
  email_link_invalid: 'This link is no longer valid. Ask for a new one on your profile.',
  unauthenticated: 'Log in to continue.',
  invalid_credentials: 'Invalid username or password',
  totp_required: 'Enter the code from your authenticator app.',
  totp_invalid: 'This code is wrong or already used. Wait for the next one.',
  forbidden: 'You’re not allowed to do this.',
  cross_origin: 'This request came from another site and was rejected.',
  demo_only_local:
    'Demo accounts log in directly on the machine that runs the demo. Through a proxy or from another machine, they also need the code that its console shows.',
  account_disabled: 'This account has been disabled. If you think that’s a mistake, contact us.',
  wrong_password: 'This isn’t your current password.',
  confirmation_required: 'Enter your password to continue.',
  two_step_required:
    'Administrators need two-step login or a passkey. Set one of them up in your settings.',
  passkey_refused: 'This passkey wasn’t accepted. Try again, or use your password.',
  stream_elsewhere: 'You’re listening on another device, so playback stopped here.',
  moments_banned: 'You can’t leave moments here. If you think that’s a mistake, contact us.',
  subscribers_only: 'This is for Premium subscribers.',
  files_off: 'This mix can be streamed, but not kept as a file.',
  not_found: 'There’s nothing here.',
  method_not_allowed: 'This method isn’t allowed here.',
  request_timeout: 'The request took too long to arrive.',
  username_taken: 'This username is taken. Choose another.',
  email_taken: 'You already have another account with this e-mail address.',
  last_admin: 'You’re the only administrator. Make someone else an administrator first.',
  email_unconfirmed: 'Confirm your e-mail address first: open the link in the mail we sent you.',
  totp_on: 'Two-step login is already on.',
  totp_not_started: 'This setup has expired. Please start again.',
  passkey_limit: 'You’ve reached the limit of 10 passkeys. Remove one first.',
  app_password_limit: 'You’ve reached the limit of 10 music apps. Remove one first.',
  passkeys_unavailable: 'Passkeys need a site with a name, such as https://music.example.',
  already_subscribed: 'You’re already a Premium subscriber. See your subscription page.',
  not_subscribed: 'You don’t have a subscription yet. Choose a plan first.',
  nothing_owed: 'There’s nothing to pay right now.',
  payment_on_its_way:
    'Your payment is on its way, and we don’t know yet whether it worked. Wait a few minutes before you pay.',
  gift_redeemed: 'This gift has already been claimed.',
  gift_void: 'This gift was refunded, so its link no longer works.',
  price_changed: 'The price has changed since you opened this page. Load it again to see it.',
  code_taken: 'This code already exists.',
  price_change_pending:
    'Another price change is planned for this plan. Cancel it first, or wait for its date.',
  price_change_started:
    'This price change has already begun. To change the price again, plan another one.',
  reason_needed:
    'Subscribers paid for this and would hear of it less than 14 days ahead. Say why it can’t wait.',
  settings_changed:
    'Someone else changed the settings while you were editing. Review their changes, then save again.',
  legal_changed:
    'Someone else published a new version while you were editing. Review their changes, then save again.',
  letter_changed:
    'Someone else changed this letter while you were writing. Look at their version, then save again.',
  letter_locked: 'This letter is on its way, so it can’t change any more.',
  job_paused: 'This job is paused. Let it go on first.',
  job_needed:
    'This job has to run: what it does was promised to somebody, or the site needs it. Pause it, or mend what it waits for.',
  letter_refused: 'Nobody would get this letter.',
  clip_refused: 'This can’t be a clip.',
  withdrawal_over:
    'This payment can’t be withdrawn any more. You can still cancel, so that it doesn’t renew.',
  settings_fixed: 'Set by an environment variable; change it on the server.',
  playlist_changed:
    'This playlist changed while you were editing. Check it, then move the mix again.',
  playlist_full: 'Playlists can hold up to 1,000 mixes. Remove some, or create another playlist.',
  playlist_limit: 'You’ve reached the limit of 200 playlists. Delete one first.',
  track_changed:
    'Someone else changed this mix while you were editing. Review their changes, then save again.',
  taken_down: 'This mix was taken down on a complaint. Put it back first.',
  not_taken_down: 'This mix isn’t taken down. Somebody else may have put it back.',
  recording_changed:
    'Someone else changed one of these recordings while you were editing. Reload them, then make your changes again.',
  moments_off: 'Moments are turned off here.',
  moment_taken:
    'You already left a moment in this minute of the mix. Change or delete that one, or choose another minute.',
  moment_final: 'A moment can be changed for five minutes. You can still delete it.',
  moment_refused: 'This line contains a word that isn’t allowed here.',
  artist_changed:
    'Someone else changed this artist while you were editing. Review their changes, then save again.',
  artist_name_taken: 'Another artist has this name. Choose another one, or merge the two.',
  artist_in_use:
    'A mix names this artist. Remove the name from its mixes first, or merge the artist into another one.',
  no_master:
    'The original file of this mix is no longer stored. Upload it again to replace the audio.',
  upload_changed:
    'Someone else changed this upload while you were editing. Review their changes, then save again.',
  upload_over: 'This upload is finished. Edit the mix instead, or upload the file again.',
  upload_offset: 'The upload continues at another offset. Ask for it, then resume there.',
  upload_gone: 'This upload has ended. Start it again.',
  feed_gone:
    'This podcast address no longer works. Log in and copy your new one from the settings page.',
  tus_required: 'Uploads use the tus protocol, version 1.0.0.',
  payload_too_large: 'The request is too large.',
  unsupported_media_type: 'This content type isn’t accepted here.',
  invalid_image: 'We can’t read this image. Try a JPEG, PNG, WebP, GIF or AVIF file.',
  refund_refused: 'The payment provider refused the refund. Nothing was refunded.',
  coupon_invalid: 'This code is invalid or has expired.',
  amount_too_small: 'This amount is less than a card payment can be.',
  audio_refused: 'This isn’t an audio file. Upload MP3, M4A, AAC, FLAC, WAV, AIFF, OGG or Opus.',
  import_refused: 'We can’t read this file. Export it again as CSV.',
  service_refused: 'The service didn’t accept this. Check it and try again.',
  upload_busy: 'This file is already being uploaded. Wait a moment.',
  rate_limited: 'Too many attempts. Try again later.',
  headers_too_large: 'The request headers are too large.',
  internal: 'Something went wrong on our side. Try again in a moment.',
  format_not_supported: 'This format isn’t available. Ask for json or xml.',
  mail_refused: 'The mail server didn’t accept the message.',
  service_unreachable: 'The service doesn’t answer at the moment. Try again later.',
  unavailable: 'Part of this site isn’t responding right now. Try again in a moment.',
  provider_unavailable: 'The payment provider isn’t responding. Try again in a moment.',
  disk_full:
    'The server’s disk is full. Your progress is saved: free some space, then resume the upload.',
};

type Details = {
  message?: string;
  fields?: Record<string, string>;
  headers?: Record<string, string>;
  /** For the operator's log alone. An error with the id of an `account` is always logged. */
  logged?: Record<string, string>;
};

/** An error for the client: a code for programs and a message for people. */
export class AppError extends Error {
  override name = 'AppError';
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;
  readonly headers: Record<string, string>;
  readonly logged: Record<string, string>;

  constructor(code: ErrorCode, { message, fields, headers, logged }: Details = {}) {
    super(message ?? messages[code]);
    this.code = code;
    this.fields = fields;
    this.headers = headers ?? {};
    this.logged = logged ?? {};
  }

  get status(): number {
    return errorStatus[this.code];
  }

  toBody(): ErrorBody {
    const { code, message, fields } = this;
    return fields ? { code, message, fields } : { code, message };
  }
}

/** The disk or the user's disk quota is full. */
export const isDiskFull = (error: unknown): boolean => findOutage(error)?.kind === 'full';
