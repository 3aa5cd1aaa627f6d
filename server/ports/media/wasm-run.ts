/** What a process of the WebAssembly ffmpeg gets besides ffmpeg's arguments. */
export type WasmRun = {
  coreUrl: string;
  reads: string[];
  writes: string[];
};

/** How it ends. Node itself exits with 1, if the process could not do its work. */
export const WASM_EXIT = { done: 0, failed: 2, crashed: 134 } as const;
