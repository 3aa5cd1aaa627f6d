/** Where the samples of a WAV or AIFF lie, and how they are written. */
export type Pcm = {
  start: number;
  bytes: number;
  channels: number;
  sampleRate: number;
  bytesPerSample: number;
  isFloat: boolean;
  isLittleEndian: boolean;
};

const FLOAT = 3;
const PCM = 1;
const EXTENSIBLE = 0xfffe;

/** AIFF writes its sample rate as a float of ten bytes. */
function readExtended(view: DataView, at: number): number {
  const exponent = (view.getUint16(at) & 0x7fff) - 16_383;
  return view.getUint32(at + 2) * 2 ** (exponent - 31);
}

type Chunk = { name: string; start: number; size: number };

function* listChunks(view: DataView, isLittleEndian: boolean): Generator<Chunk> {
  for (let at = 12; at + 8 <= view.byteLength;) {
    const name = String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, 4));
    const size = view.getUint32(at + 4, isLittleEndian);
    yield { name, start: at + 8, size };
    at += 8 + size + (size % 2);
  }
}

function readWav(view: DataView): Omit<Pcm, 'bytes' | 'start'> & { codec: number } {
  const codec = view.getUint16(0, true);
  return {
    codec: codec === EXTENSIBLE && view.byteLength >= 26 ? view.getUint16(24, true) : codec,
    channels: view.getUint16(2, true),
    sampleRate: view.getUint32(4, true),
    bytesPerSample: view.getUint16(14, true) / 8,
    isFloat: false,
    isLittleEndian: true,
  };
}

/** Reads the first bytes of a file; null for what is no plain PCM, or begins too late to be found. */
export function readPcmHeader(head: ArrayBuffer, fileSize: number): Pcm | null {
  if (head.byteLength < 44) return null;
  const view = new DataView(head);
  const tag = String.fromCharCode(...new Uint8Array(head, 0, 4));
  const form = String.fromCharCode(...new Uint8Array(head, 8, 4));
  const isWav = (tag === 'RIFF' || tag === 'RF64') && form === 'WAVE';
  if (!isWav && !(tag === 'FORM' && form === 'AIFF')) return null;
  let format: ReturnType<typeof readWav> | null = null;
  for (const { name, start, size } of listChunks(view, isWav)) {
    if (start + Math.min(size, 18) > head.byteLength) return null;
    if (name === 'fmt ') format = readWav(new DataView(head, start, Math.min(size, 40)));
    if (name === 'COMM')
      format = {
        codec: PCM,
        channels: view.getUint16(start),
        sampleRate: readExtended(view, start + 8),
        bytesPerSample: Math.ceil(view.getUint16(start + 6) / 8),
        isFloat: false,
        isLittleEndian: false,
      };
    if (name !== 'data' && name !== 'SSND') continue;
    if (!format || (format.codec !== PCM && format.codec !== FLOAT)) return null;
    const { codec, ...rest } = format;
    const isKnown =
      rest.channels > 0 && rest.sampleRate > 0 && [1, 2, 3, 4].includes(rest.bytesPerSample);
    const from = name === 'SSND' ? start + 8 : start;
    const bytes = Math.min(size, fileSize - from);
    return isKnown && bytes > 0 ? { ...rest, start: from, bytes, isFloat: codec === FLOAT } : null;
  }
  return null;
}

/** The loudest sample of a stretch, from 0 to 1. Every frame's first channel is enough to see a shape. */
export function findPeak(data: ArrayBuffer, pcm: Pcm): number {
  const { bytesPerSample: width, channels, isFloat, isLittleEndian } = pcm;
  const view = new DataView(data);
  let peak = 0;
  for (let at = 0; at + width <= view.byteLength; at += width * channels) {
    let value: number;
    if (isFloat) value = view.getFloat32(at, isLittleEndian);
    else if (width === 1)
      value = isLittleEndian ? (view.getUint8(at) - 128) / 128 : view.getInt8(at) / 128;
    else
      // The two bytes that weigh most say enough.
      value = view.getInt16(isLittleEndian ? at + width - 2 : at, isLittleEndian) / 32_768;
    peak = Math.max(peak, Math.abs(value));
  }
  return Math.min(1, peak);
}
