/** One run of ffmpeg, native or WebAssembly. */
export type FfmpegRun = {
  args: readonly string[];
  /** Files that appear in `args` as `file:<path>`. An engine may hide every other file. */
  reads: readonly string[];
  writes: readonly string[];
  /** Receives what is written to `pipe:1`, in order. */
  onOutput?: (chunk: Uint8Array) => void;
  /** Lines of the log. */
  onLine?: (line: string) => void;
  timeLimitMs: number;
  signal?: AbortSignal | undefined;
};

export type FfmpegResult = {
  /** `failed`: ffmpeg exited with an error. `crashed`: a fault or a limit ended it. */
  outcome: 'done' | 'failed' | 'crashed' | 'timed_out';
  /** The last lines of the log, for the operator. */
  tail: string;
};

export type Ffmpeg = {
  kind: 'native' | 'wasm';
  version: string;
  /** Names of the available encoders. */
  encoders: ReadonlySet<string>;
  /** Rejects if it was aborted or did not start. */
  run: (run: FfmpegRun) => Promise<FfmpegResult>;
};

const TAIL_LINES = 30;
const LINE_LENGTH = 2000;

/** Splits a log into lines and keeps the last ones; both are bounded. */
export function createLogReader(onLine?: (line: string) => void) {
  const tail: string[] = [];
  const decoder = new TextDecoder();
  let rest = '';
  const addLine = (line: string) => {
    const bounded = line.slice(0, LINE_LENGTH);
    if (!/^[a-z_]+=/.test(bounded)) {
      tail.push(bounded);
      if (tail.length > TAIL_LINES) tail.shift();
    }
    onLine?.(bounded);
  };
  return {
    addLine,
    push: (chunk: Uint8Array) => {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n|\r/);
      rest = (lines.pop() ?? '').slice(0, LINE_LENGTH);
      for (const line of lines) addLine(line);
    },
    finish: () => {
      const last = rest;
      rest = '';
      if (last) addLine(last);
      return tail.join('\n');
    },
  };
}
