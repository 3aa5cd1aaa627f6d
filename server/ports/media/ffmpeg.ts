/** One run of ffmpeg, however it is run. */
export type FfmpegRun = {
  args: readonly string[];
  /** Files that appear in `args` as `file:<path>`. An engine may hide every other file. */
  reads: readonly string[];
  writes: readonly string[];
  /** What is written to `pipe:1`. Called in order; what it does is done before more is read. */
  onOutput?: (chunk: Uint8Array) => void;
  /** Lines of the log. */
  onLine?: (line: string) => void;
  timeLimitMs: number;
  signal?: AbortSignal | undefined;
};

export type FfmpegResult = {
  /** `failed`: ffmpeg gave up by itself; `crashed`: it was stopped by a fault or by a bound. */
  outcome: 'done' | 'failed' | 'crashed' | 'timed_out';
  /** The last lines of the log, for the operator. */
  tail: string;
};

export type Ffmpeg = {
  kind: 'native' | 'wasm';
  version: string;
  /** Names of encoders that were found. */
  encoders: ReadonlySet<string>;
  /** Rejects when it was aborted or could not be started. */
  run: (run: FfmpegRun) => Promise<FfmpegResult>;
};

const TAIL_LINES = 30;
const LINE_LENGTH = 2000;

/** Cuts a log into lines and keeps the last of them, both bounded. */
export function createLogReader(onLine?: (line: string) => void) {
  const tail: string[] = [];
  const decoder = new TextDecoder();
  let rest = '';
  const take = (line: string) => {
    const bounded = line.slice(0, LINE_LENGTH);
    if (!/^[a-z_]+=/.test(bounded)) {
      tail.push(bounded);
      if (tail.length > TAIL_LINES) tail.shift();
    }
    onLine?.(bounded);
  };
  return {
    takeLine: take,
    push: (chunk: Uint8Array) => {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n|\r/);
      rest = (lines.pop() ?? '').slice(0, LINE_LENGTH);
      for (const line of lines) take(line);
    },
    finish: () => {
      const last = rest;
      rest = '';
      if (last) take(last);
      return tail.join('\n');
    },
  };
}
