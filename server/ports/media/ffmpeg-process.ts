import { startInBackground } from '../../background/background-process.ts';
import { createLogReader, type FfmpegResult, type FfmpegRun } from './ffmpeg.ts';

const CPU_SECONDS_PER_SECOND = 4;

// The shell sets limits that apply even if the server dies, then becomes ffmpeg.
const BOUNDED_EXEC =
  'ulimit -v "$1" 2>/dev/null; ulimit -t "$2" 2>/dev/null; ulimit -c 0 2>/dev/null; shift 2; exec "$@"';

export type FfmpegCommand = {
  command: string;
  args: readonly string[];
  env?: Record<string, string>;
  /** How much memory it may reserve. */
  memoryBytes: number | null;
  /** Undefined if it says nothing about the file. */
  describeExit: (code: number | null) => FfmpegResult['outcome'] | undefined;
};

function start({ command, args, env, memoryBytes }: FfmpegCommand, { timeLimitMs }: FfmpegRun) {
  if (process.platform === 'win32') return startInBackground(command, args, env);
  const kilobytes = memoryBytes === null ? 'unlimited' : String(Math.floor(memoryBytes / 1024));
  const cpuSeconds = String(Math.ceil(timeLimitMs / 1000) * CPU_SECONDS_PER_SECOND);
  const bounded = ['-c', BOUNDED_EXEC, 'sh', kilobytes, cpuSeconds, command, ...args];
  return startInBackground('/bin/sh', bounded, env);
}

/** Runs ffmpeg as a process, within the limits of the run. */
export async function runFfmpegProcess(
  command: FfmpegCommand,
  run: FfmpegRun,
): Promise<FfmpegResult> {
  run.signal?.throwIfAborted();
  const child = start(command, run);
  const log = createLogReader(run.onLine);
  let isTimedOut = false;
  let failure: { error: unknown } | undefined;
  const timer = setTimeout(() => {
    isTimedOut = true;
    child.stop();
  }, run.timeLimitMs);
  const guard = (work: () => void) => {
    try {
      work();
    } catch (error) {
      failure ??= { error };
      child.stop();
    }
  };
  child.stdout.on('data', (chunk: Buffer) => guard(() => run.onOutput?.(chunk)));
  child.stderr.on('data', (chunk: Buffer) => guard(() => log.push(chunk)));
  run.signal?.addEventListener('abort', child.stop, { once: true });
  try {
    const { code, signal } = await child.ended;
    guard(() => log.finish());
    if (failure) throw failure.error;
    run.signal?.throwIfAborted();
    if (isTimedOut) return { outcome: 'timed_out', tail: log.finish() };
    if (signal === 'SIGKILL' || signal === 'SIGTERM')
      throw new Error('ffmpeg was killed from outside, perhaps because memory ran out.');
    const outcome = command.describeExit(code);
    if (!outcome) throw new Error(`ffmpeg did not run.\n${log.finish()}`);
    return { outcome, tail: log.finish() };
  } finally {
    clearTimeout(timer);
    run.signal?.removeEventListener('abort', child.stop);
  }
}
