import { fstatSync, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import type { DestinationStream } from 'pino';

/** Lines are written in batches of this many characters, or after this many milliseconds. */
const BATCH_LENGTH = 8192;
const BATCH_MS = 250;
/** Bytes that may wait for someone who reads the log; further lines are dropped. */
const MAX_WAITING = 4 * 1024 * 1024;

export const STDOUT = 1;

/** A file takes everything at once, or fails. */
const fileOutput = (fd: number): Output => ({
  waiting: () => 0,
  write: (text) => void writeSync(fd, text),
});

const streamOutput = (stream: Writable): Output => ({
  waiting: () => stream.writableLength,
  write: (text) => void stream.write(text),
});

type Output = { waiting: () => number; write: (text: string) => void };

export type LogOutput = DestinationStream & {
  /** Calls back when everything is written, which never happens if nobody reads. */
  flush: (done: () => void) => void;
  /** Writes what it can at once, when the process ends. */
  flushAtExit: (writeNow: (text: string) => void) => void;
};

/**
 * Writes lines in batches. If nobody reads them it keeps a few megabytes, drops the rest, and says how
 * many it dropped as soon as someone reads again: the log must neither fill the memory nor stop the
 * site. A full disk drops lines too.
 */
export function createLogOutput(output: Output): LogOutput {
  let batch = '';
  let dropped = 0;
  let timer: NodeJS.Timeout | null = null;

  const describeDropped = () => {
    const msg = `${dropped} lines of the log were dropped: nobody read it, or its disk was full.`;
    return `${JSON.stringify({ level: 40, time: Date.now(), msg })}\n`;
  };

  const drop = (text: string) => {
    dropped += text.split('\n').length - 1;
  };

  function writeBatch() {
    if (timer) clearTimeout(timer);
    timer = null;
    const text = batch;
    batch = '';
    if (text === '') return;
    if (output.waiting() > MAX_WAITING) return drop(text);
    try {
      output.write(dropped > 0 ? describeDropped() + text : text);
      dropped = 0;
    } catch {
      drop(text);
    }
  }

  return {
    write: (line) => {
      batch += line;
      if (batch.length >= BATCH_LENGTH) writeBatch();
      else timer ??= setTimeout(writeBatch, BATCH_MS).unref();
    },
    flush: (done) => {
      writeBatch();
      const check = () => {
        if (output.waiting() === 0) done();
        else setTimeout(check, 10);
      };
      check();
    },
    flushAtExit: (writeNow) => {
      if (batch === '') return;
      try {
        writeNow(batch);
      } catch {
        // Nobody reads, and the process must end.
      }
      batch = '';
    },
  };
}

let standardOutput: LogOutput | null = null;

/** Standard output. A pipe that nobody reads doesn't block: Node writes it without waiting. */
export const openStandardOutput = (): LogOutput => (standardOutput ??= watchStandardOutput());

function watchStandardOutput(): LogOutput {
  const isFile = fstatSync(STDOUT).isFile();
  // The reader has gone: nothing is left to say, and that is no reason to stop.
  if (!isFile) process.stdout.on('error', () => {});
  const output = createLogOutput(isFile ? fileOutput(STDOUT) : streamOutput(process.stdout));
  process.once('exit', () => output.flushAtExit((text) => void writeSync(STDOUT, text)));
  return output;
}
