import { access } from 'node:fs/promises';
import { buildScriptCommand } from '../../background/background-process.ts';
import type { Ffmpeg, FfmpegResult, FfmpegRun } from './ffmpeg.ts';
import { runFfmpegProcess } from './ffmpeg-process.ts';
import { WASM_EXIT, type WasmRun } from './wasm-run.ts';

/** Without libopus, which crashes in this build. */
const ENCODERS = new Set(['libmp3lame', 'aac', 'flac', 'libx264']);
const SCRIPT = new URL('./wasm-process.ts', import.meta.url);
/** Checks a function when it is first called: checking all 32 MB takes longer than many runs. */
const CHECKED_WHEN_CALLED = '--wasm-lazy-validation';

function describeExit(code: number | null): FfmpegResult['outcome'] | undefined {
  if (code === WASM_EXIT.done) return 'done';
  if (code === WASM_EXIT.failed) return 'failed';
  return code === null || code >= WASM_EXIT.crashed ? 'crashed' : undefined;
}

function runWasm(coreUrl: string, run: FfmpegRun): Promise<FfmpegResult> {
  const files: WasmRun = { coreUrl, reads: [...run.reads], writes: [...run.writes] };
  const script = buildScriptCommand(SCRIPT, JSON.stringify(files), ...run.args);
  const args = [CHECKED_WHEN_CALLED, ...script.args];
  // A JavaScript engine reserves far more memory than it uses.
  return runFfmpegProcess({ ...script, args, memoryBytes: null, describeExit }, run);
}

/** ffmpeg from npm, for machines without one: slower, and sandboxed from all other files. */
export async function createWasmFfmpeg(coreUrl: string): Promise<Ffmpeg> {
  await access(new URL('./ffmpeg-core.wasm', coreUrl));
  return {
    kind: 'wasm',
    version: '5.1 (WebAssembly)',
    encoders: ENCODERS,
    run: (run) => runWasm(coreUrl, run),
  };
}
