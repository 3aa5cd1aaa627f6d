import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { createLogReader, type Ffmpeg, type FfmpegResult, type FfmpegRun } from './ffmpeg.ts';
import { LIMITS } from './limits.ts';

/** Encoding can wait; page requests cannot. */
const NICENESS = 10;
const CPU_SECONDS_PER_SECOND = 4;

// The shell sets limits that apply even if the server dies, then becomes ffmpeg.
const BOUNDED_EXEC =
  'ulimit -v "$1" 2>/dev/null; ulimit -t "$2" 2>/dev/null; ulimit -c 0 2>/dev/null; shift 2; exec "$@"';

const isWindows = process.platform === 'win32';

function start(path: string, run: FfmpegRun) {
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  if (isWindows) return spawn(path, [...run.args], { stdio, windowsHide: true });
  const kilobytes = String(Math.floor(LIMITS.processBytes / 1024));
  const cpuSeconds = String(Math.ceil(run.timeLimitMs / 1000) * CPU_SECONDS_PER_SECOND);
  // A process group of its own, so that children of `path` are killed with it. No environment:
  // ffmpeg does not need the server's secrets.
  return spawn('/bin/sh', ['-c', BOUNDED_EXEC, 'sh', kilobytes, cpuSeconds, path, ...run.args], {
    stdio,
    detached: true,
    env: {},
  });
}

type Child = ReturnType<typeof start>;

function killChild(child: Child) {
  if (child.pid === undefined) return;
  try {
    if (isWindows) child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

function lowerPriority(child: Child) {
  try {
    if (child.pid !== undefined) setPriority(child.pid, NICENESS);
  } catch {
    // It has already ended, or the system forbids it; neither matters.
  }
}

const describeExit = (code: number | null): FfmpegResult['outcome'] =>
  code === 0 ? 'done' : code === null || code > 128 ? 'crashed' : 'failed';

export function createNativeFfmpeg(
  path: string,
  about: Pick<Ffmpeg, 'version' | 'encoders'>,
): Ffmpeg {
  return {
    kind: 'native',
    ...about,
    run: (run) =>
      new Promise((resolve, reject) => {
        run.signal?.throwIfAborted();
        const child = start(path, run);
        const log = createLogReader(run.onLine);
        let isTimedOut = false;
        let failure: unknown;
        const stop = () => killChild(child);
        const fail = (error: unknown) => {
          failure ??= error;
          stop();
        };
        const timer = setTimeout(() => {
          isTimedOut = true;
          stop();
        }, run.timeLimitMs);
        const guard = (work: () => void) => {
          try {
            work();
          } catch (error) {
            fail(error);
          }
        };
        child.stdout.on('data', (chunk: Buffer) => guard(() => run.onOutput?.(chunk)));
        child.stderr.on('data', (chunk: Buffer) => guard(() => log.push(chunk)));
        child.once('error', fail);
        run.signal?.addEventListener('abort', stop, { once: true });
        process.once('exit', stop);
        lowerPriority(child);
        child.once('close', (code, stoppedBy) => {
          clearTimeout(timer);
          run.signal?.removeEventListener('abort', stop);
          process.off('exit', stop);
          guard(() => log.finish());
          if (failure !== undefined) reject(failure);
          else if (run.signal?.aborted) reject(run.signal.reason as Error);
          else if (!isTimedOut && (stoppedBy === 'SIGKILL' || stoppedBy === 'SIGTERM'))
            reject(new Error('ffmpeg was killed from outside, perhaps because memory ran out.'));
          else
            resolve({
              outcome: isTimedOut ? 'timed_out' : describeExit(code),
              tail: log.finish(),
            });
        });
      }),
  };
}
