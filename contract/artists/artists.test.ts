import { describe, expect, it } from 'vitest';
import { ArtistFields, parseLink, toNameKey, TrackArtists } from './artists.ts';

describe('a link of an artist', () => {
  it.each([
    ['https://soundcloud.com/dj', 'https://soundcloud.com/dj'],
    ['HTTPS://Example.com', 'https://example.com/'],
    ['https://example.com/ü?q=1#x', 'https://example.com/%C3%BC?q=1#x'],
    // Shown as what it is, not as what it looks like.
    ['https://аpple.com/', 'https://xn--pple-43d.com/'],
  ])('is a full https address: %s', (text, link) => {
    expect(parseLink(text)).toBe(link);
  });

  it.each([
    'javascript:alert(1)',
    'https:javascript:alert(1)',
    'data:text/html,<script>',
    'http://example.com',
    '//example.com',
    'example.com',
    'https://',
    'https:example.com',
    'https://user:secret@example.com/',
    'https://user@example.com/',
    'https://localhost/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://exa mple.com/',
    'https://example.com/\nhttps://evil.example',
    'https://example.com\\@evil.example/',
    'java\tscript:alert(1)',
    '',
  ])('is nothing else: %s', (text) => {
    expect(parseLink(text)).toBeUndefined();
    expect(ArtistFields.shape.links.safeParse([text]).success).toBe(false);
  });

  it('is kept once, and there are few of them', () => {
    const link = 'https://example.com/';
    expect(ArtistFields.shape.links.parse([link, 'https://EXAMPLE.com'])).toEqual([link]);
    const many = Array.from({ length: 9 }, (_, index) => `https://example.com/${index}`);
    expect(ArtistFields.shape.links.safeParse(many).success).toBe(false);
    expect(ArtistFields.shape.links.safeParse([`https://example.com/${'x'.repeat(300)}`])).toEqual(
      expect.objectContaining({ success: false }),
    );
  });
});

describe('the name of an artist', () => {
  it('is one line with something to read in it', () => {
    const parse = (name: string) => ArtistFields.shape.name.safeParse(name);
    expect(parse('  DJ   Café \u200b').data).toBe('DJ Café \u200b');
    expect(parse('<b>DJ</b>').data).toBe('<b>DJ</b>');
    for (const name of ['', '   ', '\u200b\u200d', 'two\nlines', 'bell\u0007', 'x'.repeat(81)])
      expect({ name, isValid: parse(name).success }).toEqual({ name, isValid: false });
  });

  it('is the same in other capitals, spaces and encodings', () => {
    expect(toNameKey('ＤＪ  Cafe\u0301 ')).toBe(toNameKey('dj café'));
  });

  it('appears once in the list of a track', () => {
    const list = (...names: string[]) => TrackArtists.safeParse(names.map((name) => ({ name })));
    expect(list('B', 'A').data).toEqual([{ name: 'B' }, { name: 'A' }]);
    expect(list('DJ One', 'dj  one').success).toBe(false);
    expect(list(...Array.from({ length: 13 }, (_, index) => `DJ ${index}`)).success).toBe(false);
  });
});
