import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanTags, cleanText, parseFfmetadata, parseProbe } from './parse-probe.ts';

const describeInput = (stream: string, duration = '00:01:00.50') =>
  `Input #0, x, from 'file:/in/a':\n  Duration: ${duration}, start: 0.0, bitrate: 320 kb/s\n` +
  `  Stream #0:0: ${stream}\n`;
const code = (text: string) => expect.objectContaining({ code: text }) as Error;

describe('a probe', () => {
  it.each([
    ['Audio: pcm_s16le ([1][0] / 0x0001), 44100 Hz, stereo, s16, 1411 kb/s', true, 2, 16],
    ['Audio: pcm_s24le, 96000 Hz, 1 channels, s32 (24 bit), 1411 kb/s', true, 1, 24],
    ['Audio: pcm_f32le, 48000 Hz, 5.1(side), flt, 1411 kb/s', true, 6, 32],
    ['Audio: flac, 44100 Hz, stereo, s32 (24 bit)', true, 2, 24],
    ['Audio: alac (alac / 0x63616C61), 44100 Hz, stereo, s16p, 700 kb/s', true, 2, 16],
    ['Audio: mp3, 44100 Hz, mono, fltp, 320 kb/s', false, 1, null],
    ['Audio: aac (LC) (mp4a / 0x6134706D), 44100 Hz, stereo, fltp, 1 kb/s', false, 2, null],
    ['Audio: opus, 48000 Hz, stereo, fltp', false, 2, null],
  ])('parses %s', (stream, isLossless, channels, bitDepth) => {
    expect(parseProbe('wav', describeInput(stream), '')).toMatchObject({
      isLossless,
      channels,
      bitDepth,
      durationSeconds: 60.5,
      bitRate: Number(/(\d+) kb/.exec(stream)?.[1] ?? 320) * 1000,
    });
  });

  it.each([
    ['video', 'Video: h264, yuv420p, 1920x1080\n  Stream #0:1: Audio: aac, 44100 Hz, stereo, fltp'],
    ['not_audio', 'Data: none'],
    ['unsupported', 'Audio: adpcm_ms, 44100 Hz, stereo, s16'],
    ['unsupported', 'Audio: pcm_u8, 44100 Hz, stereo, u8'],
    ['unsupported', 'Audio: flac, 655350 Hz, stereo, s16'],
    ['unsupported', 'Audio: pcm_s16le, 44100 Hz, 64 channels, s16'],
    ['unsupported', 'Audio: none (x / 0x1), 44100 Hz, 2 channels'],
  ])('refuses with %s: %s', (refusal, stream) => {
    expect(() => parseProbe('m4a', describeInput(stream), '')).toThrow(code(refusal));
  });

  it('refuses ten hours from the header alone', () => {
    const stream = 'Audio: pcm_s16le, 8000 Hz, mono, s16';
    expect(() => parseProbe('wav', describeInput(stream, '10:00:00.00'), '')).toThrow(
      code('too_long'),
    );
  });

  it('ignores a tag that looks like a stream', () => {
    const log =
      "Input #0, mp3, from 'file:/in/a':\n  Metadata:\n    title           : x\n" +
      '                    :   Duration: 00:00:01.00, start: 0\n' +
      '                    :   Stream #0:0: Audio: flac, 96000 Hz, stereo, s16\n' +
      '  Duration: N/A, bitrate: N/A\n  Stream #0:0: Audio: mp3, 44100 Hz, stereo, fltp\n';
    expect(parseProbe('mp3', log, '')).toMatchObject({
      codec: 'mp3',
      isLossless: false,
      durationSeconds: null,
      bitRate: null,
    });
  });
});

describe('tags as plain text', () => {
  it.each([
    ['<script>alert(1)</script>Week 12', 'alert(1) Week 12'],
    ['<scr<b>ipt>alert(1)</script>', 'alert(1)'],
    ['Me <3 You & I > they', 'Me <3 You & I > they'],
    ['Hi <img src=x onerror=alert(1)', 'Hi'],
    ['two\nlines\tand\u0000nothing', 'two lines and nothing'],
    ['safe\u202Etxt.exe', 'safe txt.exe'],
    ['Cafe\u0301', 'Café'],
    ['   ', ''],
  ])('turn the text %j into %j', (from, to) => {
    expect(cleanText(from)).toBe(to);
  });

  it('never contain the start of markup, a control character or more than their limit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('<', '>', '/', '!', 'script', 'b', ' ', '\n', '\u202e', '💿')),
        (parts) => {
          const text = cleanText(parts.join(''), 40);
          expect(text).not.toMatch(/<[a-z/!?]/i);
          expect(text).not.toMatch(/\p{C}/u);
          expect([...text].length).toBeLessThanOrEqual(40);
        },
      ),
    );
  });

  it('are parsed from what ffmpeg writes, including escapes', () => {
    const text =
      ';FFMETADATA1\ntitle=A \\= B \\; C\ncomment=one\\\ntwo\nTBPM=124\n[STREAM]\ntitle=x\n';
    expect([...parseFfmetadata(text).tags]).toEqual([
      ['title', 'A = B ; C'],
      ['comment', 'one\ntwo'],
      ['tbpm', '124'],
    ]);
  });

  it('don’t include those of chapters, which a text that looks like one isn’t', () => {
    const { tags, chapters } = parseFfmetadata(
      ';FFMETADATA1\ncomment=one\\\n[CHAPTER]\\\ntitle=no\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\ntitle=One\n',
    );
    expect([...tags]).toEqual([['comment', 'one\n[CHAPTER]\ntitle=no']]);
    expect(chapters.map((chapter) => chapter.get('title'))).toEqual(['One']);
  });

  it.each([
    [
      { tbpm: '124.4', date: '2026-03-01' },
      { bpm: 124, year: 2026 },
    ],
    [{ bpm: '0', date: 'soon' }, {}],
    [{ tmpo: '99999', year: '26' }, {}],
    [{ title: '<b></b>', artist: ' A ' }, { artist: 'A' }],
  ])('turn %j into %j', (raw, tags) => {
    expect(cleanTags({ tags: new Map(Object.entries(raw)), chapters: [] })).toEqual(tags);
  });
});
