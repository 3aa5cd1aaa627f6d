const NAME_LENGTH = 120;

/** Builds a file name that is safe for file systems, shells and headers, and keeps letters of any language. */
export function toFileName(parts: readonly string[], extension: string): string {
  const name = parts
    .map((part) =>
      part
        .toWellFormed()
        .normalize('NFC')
        .replace(/[\p{C}\p{Zl}\p{Zp}<>:"/\\|?*]+/gu, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter(Boolean)
    .join(' - ');
  const shortened = [...name].slice(0, NAME_LENGTH).join('');
  // Windows drops trailing dots and spaces; on other systems a leading dot hides the file.
  return `${shortened.replace(/^[.\s]+|[.\s]+$/g, '') || 'download'}.${extension}`;
}

const encodeExtended = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);

/** RFC 6266: the full name, and an ASCII version for old browsers. */
export function buildContentDisposition(name: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%]/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeExtended(name)}`;
}

const EXTENSIONS: Record<string, string> = {
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/webm': 'webm',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
};

/** `audio/webm` of `audio/webm; codecs=opus`. */
export const withoutParameters = (mediaType: string): string =>
  mediaType.split(';', 1)[0]?.trim() ?? '';

/** Apps look at the extension of a file, whatever its type says. */
export const findExtension = (mediaType: string): string =>
  EXTENSIONS[withoutParameters(mediaType)] ?? 'bin';
