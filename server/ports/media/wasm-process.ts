import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs';
import { WASM_EXIT, type WasmRun } from './wasm-run.ts';

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
const STDOUT = 1;
const STDERR = 2;

const [files = '', ...args] = process.argv.slice(2);
const { coreUrl, reads, writes } = JSON.parse(files) as WasmRun;

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

/** Waits while the reader is behind, so that memory stays bounded. */
function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
}

/** `pipe:1` */
function createOutputFile(): HostFile {
  let sent = 0;
  return {
    size: () => sent,
    read: () => 0,
    truncate: () => {},
    write: (from) => {
      writeAll(STDOUT, from);
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
  const module = await WebAssembly.compile(readFileSync(new URL('./ffmpeg-core.wasm', coreUrl)));
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

const writeLine = (line: string): void => writeAll(STDERR, Buffer.from(`${line}\n`));

/** One run of the WebAssembly ffmpeg. It only sees the files it is given. */
const core = await loadCore();
core.FS.mkdir('/files');
const hostFiles = [
  ...reads.map((path) => [path, openHostFile(path, 'r')] as const),
  ...writes.map((path) => [path, openHostFile(path, 'w+')] as const),
];
const names = new Map([['pipe:1', '/files/output']]);
for (const [index, [path, file]] of hostFiles.entries()) {
  names.set(`file:${path}`, `/files/${index}`);
  attachFile(core, `/files/${index}`, file);
}
attachFile(core, '/files/output', createOutputFile());
core.setLogger(({ message }) => writeLine(message));
try {
  const code = core.exec(...args.map((arg) => names.get(arg) ?? arg));
  process.exitCode = code === 0 ? WASM_EXIT.done : WASM_EXIT.failed;
} catch (error) {
  // A trap inside the sandbox: the fault of the file, not of the machine.
  writeLine(String(error));
  process.exitCode = WASM_EXIT.crashed;
} finally {
  for (const [, file] of hostFiles) file.close();
}
