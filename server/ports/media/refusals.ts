/** Why a file is refused, for the administrator who uploaded it. */
const SENTENCES = {
  empty_file: 'The file is empty.',
  too_big: 'The file is larger than 4 GB.',
  not_audio: 'This isn’t an audio file. Upload MP3, M4A, AAC, FLAC, WAV, AIFF, OGG or Opus.',
  playlist: 'This is a playlist, not the music itself. Upload the audio file.',
  archive: 'This is an archive. Unpack it and upload the audio file.',
  video: 'This is a video. Export its audio and upload that file.',
  unsupported: 'This audio codec isn’t supported.',
  too_short: 'The audio is shorter than one second.',
  too_long: 'The audio is longer than six hours.',
  truncated: 'The file is incomplete. Upload it again.',
  damaged: 'The file is damaged: parts of it can’t be decoded.',
  silent: 'The file is silent.',
  took_too_long: 'The file took too long to process.',
  cover_unreadable: 'The cover can’t be read. Use a JPEG, PNG or WebP picture.',
  cover_too_large: 'The cover is too large. Maximum 10,000 pixels per side and 20 MB.',
  cover_vector: 'The cover is an SVG drawing. Use a JPEG, PNG or WebP picture.',
} as const;

export type RefusalCode = keyof typeof SENTENCES;

export type Refusal = { code: RefusalCode; sentence: string };

export const describeRefusal = (code: RefusalCode): Refusal => ({
  code,
  sentence: SENTENCES[code],
});

/** The file itself is bad: a retry cannot help, a different file can. */
export class MediaRefused extends Error {
  readonly code: RefusalCode;
  constructor(code: RefusalCode, options?: ErrorOptions) {
    super(SENTENCES[code], options);
    this.name = 'MediaRefused';
    this.code = code;
  }
}
