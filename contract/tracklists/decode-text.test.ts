import { describe, expect, it } from 'vitest';
import { decodeText } from './decode-text.ts';
import { readTracklistFile } from './read-tracklist.ts';

describe('the text of a tracklist', () => {
  const text = 'Café – Ünder, 12:30 Señor';
  const utf16 = (isBig: boolean) =>
    Uint8Array.from(
      Array.from(text, (letter) => letter.charCodeAt(0)).flatMap((code) => {
        return isBig ? [code >> 8, code & 255] : [code & 255, code >> 8];
      }),
    );

  it.each([
    ['UTF-8', new TextEncoder().encode(text)],
    ['UTF-8 with a mark', new TextEncoder().encode(`\uFEFF${text}`)],
    ['UTF-16', utf16(false)],
    ['UTF-16 with a mark', Uint8Array.from([0xff, 0xfe, ...utf16(false)])],
    ['UTF-16 with its large bytes first', Uint8Array.from([0xfe, 0xff, ...utf16(true)])],
  ])('is understood in %s', (_name, bytes) => {
    expect(decodeText(bytes)).toBe(text);
  });

  it('is understood in Windows-1252', () => {
    expect(decodeText(Uint8Array.from([0x43, 0x61, 0x66, 0xe9, 0x20, 0x96]))).toBe('Café –');
  });

  it('stays UTF-8 if a byte of it is damaged, and the line of that is named', () => {
    const bytes = Buffer.concat([
      Buffer.from('0:00 Café – Señor\n1:00 Caf'),
      Buffer.from([0xe9]),
      Buffer.from(' – Ünder\n'),
    ]);
    expect(readTracklistFile(bytes)).toMatchObject({
      chapters: [
        { artist: 'Café', title: 'Señor' },
        { artist: 'Caf\uFFFD', title: 'Ünder' },
      ],
      problems: [{ line: 2, message: 'contains a character that we can’t read' }],
    });
  });
});
