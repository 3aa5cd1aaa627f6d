/** Position and format of the samples in a WAV or AIFF file. */
type Pcm = {
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

/** AIFF stores its sample rate as a ten-byte float. */
function parseExtended(view: DataView, at: number): number {
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

function parseWavFormat(view: DataView): Omit<Pcm, 'bytes' | 'start'> & { codec: number } {
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

/** Null if the first bytes show no plain PCM, or its samples start too late. */
function parsePcmHeader(head: ArrayBuffer, fileSize: number): Pcm | null {
  if (head.byteLength < 44) return null;
  const view = new DataView(head);
  const tag = String.fromCharCode(...new Uint8Array(head, 0, 4));
  const form = String.fromCharCode(...new Uint8Array(head, 8, 4));
  const isWav = (tag === 'RIFF' || tag === 'RF64') && form === 'WAVE';
  if (!isWav && !(tag === 'FORM' && form === 'AIFF')) return null;
  let format: ReturnType<typeof parseWavFormat> | null = null;
  for (const { name, start, size } of listChunks(view, isWav)) {
    if (start + Math.min(size, 18) > head.byteLength) return null;
    if (name === 'fmt ') format = parseWavFormat(new DataView(head, start, Math.min(size, 40)));
    if (name === 'COMM')
      format = {
        codec: PCM,
        channels: view.getUint16(start),
        sampleRate: parseExtended(view, start + 8),
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

/** The highest sample, from 0 to 1. The first channel is enough for a waveform. */
function findPeak(data: ArrayBuffer, pcm: Pcm): number {
  const { bytesPerSample: width, channels, isFloat, isLittleEndian } = pcm;
  const view = new DataView(data);
  let peak = 0;
  for (let at = 0; at + width <= view.byteLength; at += width * channels) {
    let value: number;
    if (isFloat) value = view.getFloat32(at, isLittleEndian);
    else if (width === 1)
      value = isLittleEndian ? (view.getUint8(at) - 128) / 128 : view.getInt8(at) / 128;
    else
      // The two most significant bytes are enough.
      value = view.getInt16(isLittleEndian ? at + width - 2 : at, isLittleEndian) / 32_768;
    peak = Math.max(peak, Math.abs(value));
  }
  return Math.min(1, peak);
}

export type LocalPeaks = { peaks: number[]; duration: number };

const MB = 1024 * 1024;
const HEAD_BYTES = MB;
const BARS = 600;
/** Read for each bar. A sample is enough, so that a gigabyte is not read twice. */
const SAMPLE_BYTES = 32 * 1024;
/** Decoding takes ten times the size in memory. The server draws larger files. */
const DECODED_BYTES = 24 * MB;
const DECODE_RATE = 8000;

const normalise = (peaks: number[]): number[] => {
  const top = Math.max(...peaks, 0.001);
  return peaks.map((peak) => peak / top);
};

async function samplePeaks(file: Blob, pcm: Pcm, signal: AbortSignal): Promise<LocalPeaks> {
  const frameBytes = pcm.bytesPerSample * pcm.channels;
  const frames = Math.floor(pcm.bytes / frameBytes);
  const count = Math.max(1, Math.min(BARS, frames));
  const length = Math.ceil(Math.min(SAMPLE_BYTES / frameBytes, frames / count)) * frameBytes;
  const peaks: number[] = [];
  for (let bar = 0; bar < count; bar += 1) {
    signal.throwIfAborted();
    const at = pcm.start + Math.floor((bar * frames) / count) * frameBytes;
    peaks.push(findPeak(await file.slice(at, at + length).arrayBuffer(), pcm));
  }
  return { peaks: normalise(peaks), duration: frames / pcm.sampleRate };
}

async function decode(file: Blob): Promise<LocalPeaks | null> {
  if (typeof OfflineAudioContext === 'undefined') return null;
  const context = new OfflineAudioContext(1, 1, DECODE_RATE);
  const audio = await context.decodeAudioData(await file.arrayBuffer()).catch(() => null);
  if (!audio || audio.length === 0) return null;
  const samples = audio.getChannelData(0);
  const count = Math.min(BARS, samples.length);
  const peaks = Array.from({ length: count }, (_, bar) => {
    const part = samples.subarray(
      Math.floor((bar * samples.length) / count),
      Math.floor(((bar + 1) * samples.length) / count),
    );
    return part.reduce((peak, value) => Math.max(peak, Math.abs(value)), 0);
  });
  return { peaks: normalise(peaks), duration: audio.duration };
}

/** The waveform of a local file; null if this browser cannot draw it. */
export async function computeLocalPeaks(
  file: Blob,
  signal: AbortSignal,
): Promise<LocalPeaks | null> {
  const pcm = parsePcmHeader(await file.slice(0, HEAD_BYTES).arrayBuffer(), file.size);
  if (pcm) return samplePeaks(file, pcm, signal);
  return file.size <= DECODED_BYTES ? decode(file) : null;
}
