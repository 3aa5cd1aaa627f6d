import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { createLogOutput, openStandardOutput } from './log-output.ts';

const LINE = `${JSON.stringify({ msg: 'x'.repeat(10_000) })}\n`;

/** Reads only when told to. */
function createReader() {
  const lines: string[] = [];
  let waiting: (() => void) | null = null;
  let isReading = false;
  const stream = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      lines.push(...text.split('\n').slice(0, -1));
      if (isReading) done();
      else waiting = done;
    },
  });
  const read = () => {
    isReading = true;
    waiting?.();
  };
  return { stream, lines, read };
}

it('drops lines that nobody reads instead of filling the memory, and says how many', async () => {
  const { stream, lines, read } = createReader();
  const output = createLogOutput({
    waiting: () => stream.writableLength,
    write: (text) => void stream.write(text),
  });
  const sent = 10_000;
  for (let line = 0; line < sent; line += 1) output.write(LINE);
  expect(stream.writableLength).toBeLessThan(5 * 1024 * 1024);
  read();
  await new Promise<void>((resolve) => output.flush(resolve));
  const kept = lines.length;
  output.write(LINE);
  await new Promise<void>((resolve) => output.flush(resolve));
  expect(lines[kept]).toContain(`${sent - kept} lines of the log were dropped`);
  expect(`${lines.at(-1)}\n`).toBe(LINE);
});

it('goes on when the disk of the log is full', () => {
  let isFull = true;
  const written: string[] = [];
  const output = createLogOutput({
    waiting: () => 0,
    write: (text) => {
      if (isFull) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      written.push(text);
    },
  });
  output.write(LINE);
  isFull = false;
  output.write(LINE);
  expect(written).toEqual([expect.stringMatching(/1 lines of the log were dropped/)]);
  expect(written[0]).toContain(LINE);
});

it('writes the last lines at the end, unless that fails', () => {
  const output = createLogOutput({ waiting: () => 0, write: () => undefined });
  const written: string[] = [];
  output.write('last words\n');
  output.flushAtExit((text) => void written.push(text));
  expect(written).toEqual(['last words\n']);
  output.write('nobody hears\n');
  output.flushAtExit(() => {
    throw Object.assign(new Error('again'), { code: 'EAGAIN' });
  });
});

it('watches standard output once, however many logs write to it', () => {
  const count = () => process.listenerCount('exit') + process.stdout.listenerCount('error');
  const first = openStandardOutput();
  const before = count();
  expect(openStandardOutput()).toBe(first);
  expect(count()).toBe(before);
});
