import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

/** One run of the WebAssembly ffmpeg. It only sees the files it is given. */
export type WasmRun = {
  coreUrl: string;
  module: WebAssembly.Module;
  args: string[];
  reads: string[];
  writes: string[];
  /** How many sent chunks the main thread has not processed yet. */
  pending: SharedArrayBuffer;
};

export type WasmMessage =
  | { type: 'line'; line: string }
  | { type: 'output'; chunk: Uint8Array<ArrayBuffer> }
  | { type: 'end'; exitCode: number }
  /** A trap inside the sandbox: the fault of the file, not of the machine. */
  | { type: 'crash'; reason: string };

type Stream = { position: number };
type FileNode = { node_ops: object; stream_ops: object; mode: number; id: number };
type Core = {
  FS: {
    mkdir: (path: string) => void;
    writeFile: (path: string, data: string) => void;
    lookupPath: (path: string) => { node: FileNode };
    ErrnoError: new (code: number) => Error;
  };
  setLogger: (logger: (entry: { message: string }) => void) => void;
  exec: (...args: string[]) => number;
};
type CreateCore = (options: {
  instantiateWasm: (
    imports: WebAssembly.Imports,
    onReady: (instance: WebAssembly.Instance) => void,
  ) => object;
}) => Promise<Core>;

/** The file operations that the core needs. */
type HostFile = {
  size: () => number;
  read: (into: Uint8Array, position: number) => number;
  write: (from: Uint8Array, position: number) => number;
  truncate: (size: number) => void;
};

const INVALID = 28;
const MAX_PENDING = 16;

const { coreUrl, module, args, reads, writes, pending } = workerData as WasmRun;
const post = (message: WasmMessage, transfer: ArrayBuffer[] = []) =>
  parentPort?.postMessage(message, transfer);

function openHostFile(path: string, flags: 'r' | 'w+'): HostFile & { close: () => void } {
  const fd = openSync(path, flags);
  return {
    size: () => fstatSync(fd).size,
    read: (into, position) => readSync(fd, into, 0, into.length, position),
    write: (from, position) => writeSync(fd, from, 0, from.length, position),
    truncate: (size) => {
      if (flags === 'w+') ftruncateSync(fd, size);
    },
    close: () => closeSync(fd),
  };
}

/** `pipe:1`: waits while the main thread is behind, so that memory stays bounded. */
function createOutputFile(): HostFile {
  const counter = new Int32Array(pending);
  let sent = 0;
  return {
    size: () => sent,
    read: () => 0,
    truncate: () => {},
    write: (from) => {
      for (let count = Atomics.load(counter, 0); count >= MAX_PENDING;) {
        Atomics.wait(counter, 0, count);
        count = Atomics.load(counter, 0);
      }
      Atomics.add(counter, 0, 1);
      const chunk = from.slice();
      post({ type: 'output', chunk }, [chunk.buffer]);
      sent += from.length;
      return from.length;
    },
  };
}

/** Connects a file of the core to one of the host. */
function attachFile(core: Core, path: string, file: HostFile) {
  core.FS.writeFile(path, '');
  const { node } = core.FS.lookupPath(path);
  const time = new Date(0);
  node.node_ops = {
    getattr: () => ({
      dev: 1,
      ino: node.id,
      mode: node.mode,
      nlink: 1,
      uid: 0,
      gid: 0,
      rdev: 0,
      size: file.size(),
      atime: time,
      mtime: time,
      ctime: time,
      blksize: 4096,
      blocks: Math.ceil(file.size() / 4096),
    }),
    setattr: (_node: FileNode, change: { size?: number }) => {
      if (change.size !== undefined) file.truncate(change.size);
    },
  };
  node.stream_ops = {
    read: (_s: Stream, buffer: Uint8Array, offset: number, length: number, position: number) =>
      file.read(asBytes(buffer, offset, length), position),
    write: (_s: Stream, buffer: Uint8Array, offset: number, length: number, position: number) =>
      file.write(asBytes(buffer, offset, length), position),
    llseek: (stream: Stream, offset: number, whence: number) => {
      const base = whence === 1 ? stream.position : whence === 2 ? file.size() : 0;
      if (base + offset < 0) throw new core.FS.ErrnoError(INVALID);
      return base + offset;
    },
  };
}

/** The core passes its heap as signed bytes. */
const asBytes = (buffer: Uint8Array, offset: number, length: number) =>
  new Uint8Array(buffer.buffer, buffer.byteOffset + offset, length);

async function loadCore(): Promise<Core> {
  // The core is built for browsers and asks for its own address.
  Object.assign(globalThis, { self: { location: { href: coreUrl } } });
  const { default: createCore } = (await import(coreUrl)) as { default: CreateCore };
  return createCore({
    instantiateWasm: (imports, onReady) => {
      void WebAssembly.instantiate(module, imports).then(onReady);
      return {};
    },
  });
}

const core = await loadCore();
core.FS.mkdir('/files');
const files = [
  ...reads.map((path) => [path, openHostFile(path, 'r')] as const),
  ...writes.map((path) => [path, openHostFile(path, 'w+')] as const),
];
const names = new Map([['pipe:1', '/files/output']]);
for (const [index, [path, file]] of files.entries()) {
  names.set(`file:${path}`, `/files/${index}`);
  attachFile(core, `/files/${index}`, file);
}
attachFile(core, '/files/output', createOutputFile());
core.setLogger(({ message }) => post({ type: 'line', line: message }));
try {
  post({ type: 'end', exitCode: core.exec(...args.map((arg) => names.get(arg) ?? arg)) });
} catch (error) {
  post({ type: 'crash', reason: String(error) });
} finally {
  for (const [, file] of files) file.close();
}
