import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { createLogReader, type Ffmpeg, type FfmpegResult, type FfmpegRun } from './ffmpeg.ts';
import type { WasmMessage, WasmRun } from './wasm-worker.ts';

/** Without libopus, which crashes in this build. */
const ENCODERS = new Set(['libmp3lame', 'aac', 'flac']);
const WORKER = new URL('./wasm-worker.ts', import.meta.url);

function runInWorker(core: Pick<WasmRun, 'coreUrl' | 'module'>, run: FfmpegRun) {
  return new Promise<FfmpegResult>((resolve, reject) => {
    run.signal?.throwIfAborted();
    const pending = new SharedArrayBuffer(4);
    const counter = new Int32Array(pending);
    const log = createLogReader(run.onLine);
    const workerData: WasmRun = {
      ...core,
      args: [...run.args],
      reads: [...run.reads],
      writes: [...run.writes],
      pending,
    };
    const worker = new Worker(WORKER, { workerData, env: {}, execArgv: [] });
    let isStopped = false;
    const stop = (finish: () => void) => {
      if (isStopped) return;
      isStopped = true;
      clearTimeout(timer);
      run.signal?.removeEventListener('abort', abort);
      void worker.terminate().then(finish, reject);
    };
    const end = (outcome: FfmpegResult['outcome']) =>
      stop(() => resolve({ outcome, tail: log.finish() }));
    const fail = (error: unknown) => stop(() => reject(error));
    const abort = () => fail(run.signal?.reason);
    const timer = setTimeout(() => end('timed_out'), run.timeLimitMs);
    run.signal?.addEventListener('abort', abort, { once: true });
    worker.on('message', (message: WasmMessage) => {
      try {
        if (message.type === 'line') log.addLine(message.line);
        else if (message.type === 'end') end(message.exitCode === 0 ? 'done' : 'failed');
        else if (message.type === 'crash') {
          log.addLine(message.reason);
          end('crashed');
        } else {
          run.onOutput?.(message.chunk);
          Atomics.sub(counter, 0, 1);
          Atomics.notify(counter, 0);
        }
      } catch (error) {
        fail(error);
      }
    });
    worker.once('error', fail);
    worker.once('exit', () => fail(new Error('The WebAssembly ffmpeg exited without a result.')));
  });
}

/** ffmpeg from npm, for machines without one: slower, and sandboxed from all other files. */
export async function createWasmFfmpeg(coreUrl: string): Promise<Ffmpeg> {
  const module = await WebAssembly.compile(await readFile(new URL('./ffmpeg-core.wasm', coreUrl)));
  return {
    kind: 'wasm',
    version: '5.1 (WebAssembly)',
    encoders: ENCODERS,
    run: (run) => runInWorker({ coreUrl, module }, run),
  };
}
