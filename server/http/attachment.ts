const NAME_LENGTH = 120;

/** What no file system, shell or header takes badly; people's own letters stay. */
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
  const bounded = [...name].slice(0, NAME_LENGTH).join('');
  // Windows drops dots and spaces at the end, and a dot in front hides a file elsewhere.
  return `${bounded.replace(/^[.\s]+|[.\s]+$/g, '') || 'download'}.${extension}`;
}

const encodeExtended = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);

/** RFC 6266: the whole name for every browser of this century, and letters of ASCII for the rest. */
export function describeAttachment(name: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%]/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeExtended(name)}`;
}
