import { describe, expect, it } from 'vitest';
import { buildContentDisposition, toFileName } from './attachment.ts';

describe('the name of a downloaded file', () => {
  it('keeps letters of any language', () => {
    expect(toFileName(['Weekly', 'Week 12 2026', 'Soirée in Gqeberha'], 'mp3')).toBe(
      'Weekly - Week 12 2026 - Soirée in Gqeberha.mp3',
    );
  });

  it.each([
    ['../../etc/passwd', 'etc passwd.mp3'],
    ['a\r\nset-cookie: x', 'a set-cookie x.mp3'],
    ['CON: <b>"why?"</b> | *', 'CON b why b.mp3'],
    ['\u202egnp.exe', 'gnp.exe.mp3'],
    ['...', 'download.mp3'],
    ['\ud800half', 'half.mp3'],
    ['', 'download.mp3'],
  ])('drops characters that are unsafe in a file name or a header: %j', (title, name) => {
    expect(toFileName([title], 'mp3').replace('\ufffd', '')).toBe(name);
  });

  it('has a maximum length', () => {
    expect(toFileName(['x'.repeat(5000)], 'flac')).toHaveLength(125);
  });

  it('is sent in full, with an ASCII version for old browsers', () => {
    expect(buildContentDisposition(`Café 100% "it's" (ok).mp3`)).toBe(
      `attachment; filename="Cafe 100_ _it's_ (ok).mp3"; filename*=UTF-8''Caf%C3%A9%20100%25%20%22it%27s%22%20%28ok%29.mp3`,
    );
  });
});
