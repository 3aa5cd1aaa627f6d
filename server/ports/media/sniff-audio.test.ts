import { describe, expect, it } from 'vitest';
import {
  isOggTruncated,
  isWavTruncated,
  measureId3,
  readMpegFrameLength,
  sniffAudio,
} from './sniff-audio.ts';
import { buildId3, buildWav, textFrame } from './testing/samples.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');
const padTo = (bytes: Buffer, length: number) =>
  Buffer.concat([bytes, Buffer.alloc(length - bytes.length)]);

/** Frames of MPEG 1 layer 3, 128 kb/s, 44.1 kHz: 417 bytes each. */
const mpegFrames = (count: number) =>
  Buffer.concat(Array.from({ length: count }, () => padTo(Buffer.of(0xff, 0xfb, 0x90, 0x00), 417)));

const adtsFrames = (count: number) =>
  Buffer.concat(
    Array.from({ length: count }, () =>
      padTo(Buffer.of(0xff, 0xf1, 0x50, 0x80, 100 >> 3, (100 & 7) << 5, 0xfc), 100),
    ),
  );

const oggPage = (payload: string) =>
  Buffer.concat([latin('OggS'), Buffer.alloc(22), Buffer.of(1, payload.length), latin(payload)]);

describe('sniffing a file', () => {
  it.each([
    ['mp3', mpegFrames(4)],
    ['mp3', Buffer.concat([Buffer.alloc(300), mpegFrames(4)])],
    ['aac', adtsFrames(4)],
    ['m4a', latin('\0\0\0\x20ftypM4A \0\0\0\0')],
    ['flac', latin('fLaC\0\0\0\x22')],
    ['wav', buildWav({ seconds: 0.01 })],
    ['wav', latin('RF64\xff\xff\xff\xffWAVEds64')],
    ['aiff', latin('FORM\0\0\0\0AIFFCOMM')],
    ['aiff', latin('FORM\0\0\0\0AIFCFVER')],
    ['ogg', oggPage('\x01vorbis\0\0\0')],
    ['ogg', oggPage('OpusHead\x01\x02')],
    ['ogg', oggPage('\x7fFLAC\x01\0')],
  ])('finds %s', (container, bytes) => {
    expect(sniffAudio(bytes)).toEqual({ container });
  });

  it.each([
    ['empty_file', ''],
    ['not_audio', 'Dear Sir or Madam, this is a text file that somebody named mix.mp3.'],
    ['not_audio', `\xff\xfb\x90\x00${'x'.repeat(2000)}`],
    ['not_audio', '<html><script>alert(1)</script></html>'],
    ['playlist', '#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n'],
    ['playlist', '\xef\xbb\xbf\n #EXTM3U\nhttp://169.254.169.254/latest/meta-data\n'],
    ['playlist', "ffconcat version 1.0\nfile '/etc/passwd'\n"],
    ['playlist', '[playlist]\nFile1=http://example.com'],
    ['archive', 'PK\x03\x04'],
    ['archive', '\x1f\x8b\x08\x00'],
    ['video', '\x1aE\xdf\xa3\x01\x00'],
    ['video', 'RIFF\0\0\0\0AVI LIST'],
    ['unsupported', oggPage('\x80theora').toString('latin1')],
  ])('refuses with %s', (refusal, text) => {
    expect(sniffAudio(latin(text))).toEqual({ refusal });
  });

  it('measures the tag before the audio', () => {
    const tag = buildId3([textFrame('TIT2', 'x'.repeat(5000))]);
    expect(measureId3(tag)).toBe(tag.length);
    expect(measureId3(mpegFrames(1))).toBe(0);
  });

  it.each([
    ['MPEG 1, 192 kb/s, padded', [0xff, 0xfb, 0xb2], 627],
    ['MPEG 2, 64 kb/s, 22.05 kHz', [0xff, 0xf3, 0x80], 208],
    ['a forbidden bit rate', [0xff, 0xfb, 0xf0], null],
    ['layer 2', [0xff, 0xfd, 0x90], null],
    ['too few bytes', [0xff], null],
  ])('reads the length of a frame: %s', (_, bytes, length) => {
    expect(readMpegFrameLength(Uint8Array.from(bytes), 0)).toBe(length);
  });

  it('detects an incomplete last page of an Ogg file', () => {
    const page = oggPage('OpusHead');
    expect(isOggTruncated(Buffer.concat([page, page]))).toBe(false);
    expect(isOggTruncated(Buffer.concat([page, page]).subarray(0, -1))).toBe(true);
    expect(isOggTruncated(latin('nothing'))).toBe(true);
  });

  it('detects an incomplete WAV, and accepts a streamed one', () => {
    const wav = buildWav({ seconds: 1 });
    expect(isWavTruncated(wav, wav.length)).toBe(false);
    expect(isWavTruncated(wav, wav.length - 5000)).toBe(true);
    wav.writeUInt32LE(0xffffffff, 4);
    expect(isWavTruncated(wav, wav.length - 5000)).toBe(false);
    const long = Buffer.alloc(64);
    long.write('RF64\xff\xff\xff\xffWAVEds64', 'latin1');
    long.writeBigUInt64LE(5_000_000_000n, 20);
    expect(isWavTruncated(long, 5_000_000_008)).toBe(false);
    expect(isWavTruncated(long, 4_000_000_000)).toBe(true);
  });
});
