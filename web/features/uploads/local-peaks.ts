import { findPeak, readPcmHeader, type Pcm } from './pcm-header.ts';

export type LocalPeaks = { peaks: number[]; duration: number };

const MB = 1024 * 1024;
const HEAD_BYTES = MB;
const BARS = 600;
/** A glance at each stretch shows its shape: a gigabyte is not read twice for it. */
const GLANCE_BYTES = 32 * 1024;
/** Decoded, sound takes ten times its room. A larger file is drawn by the server. */
const DECODED_BYTES = 24 * MB;
const DECODE_RATE = 8000;

const level = (peaks: number[]): number[] => {
  const top = Math.max(...peaks, 0.001);
  return peaks.map((peak) => peak / top);
};

async function glance(file: Blob, pcm: Pcm, signal: AbortSignal): Promise<LocalPeaks> {
  const frameBytes = pcm.bytesPerSample * pcm.channels;
  const frames = Math.floor(pcm.bytes / frameBytes);
  const count = Math.max(1, Math.min(BARS, frames));
  const length = Math.ceil(Math.min(GLANCE_BYTES / frameBytes, frames / count)) * frameBytes;
  const peaks: number[] = [];
  for (let bar = 0; bar < count; bar += 1) {
    signal.throwIfAborted();
    const at = pcm.start + Math.floor((bar * frames) / count) * frameBytes;
    peaks.push(findPeak(await file.slice(at, at + length).arrayBuffer(), pcm));
  }
  return { peaks: level(peaks), duration: frames / pcm.sampleRate };
}

async function decode(file: Blob): Promise<LocalPeaks | null> {
  if (typeof OfflineAudioContext === 'undefined') return null;
  const context = new OfflineAudioContext(1, 1, DECODE_RATE);
  const sound = await context.decodeAudioData(await file.arrayBuffer()).catch(() => null);
  if (!sound || sound.length === 0) return null;
  const samples = sound.getChannelData(0);
  const count = Math.min(BARS, samples.length);
  const peaks = Array.from({ length: count }, (_, bar) => {
    const stretch = samples.subarray(
      Math.floor((bar * samples.length) / count),
      Math.floor(((bar + 1) * samples.length) / count),
    );
    return stretch.reduce((peak, value) => Math.max(peak, Math.abs(value)), 0);
  });
  return { peaks: level(peaks), duration: sound.duration };
}

/** The waveform of a file that is still on this machine; null where it cannot be drawn here. */
export async function readLocalPeaks(file: Blob, signal: AbortSignal): Promise<LocalPeaks | null> {
  const pcm = readPcmHeader(await file.slice(0, HEAD_BYTES).arrayBuffer(), file.size);
  if (pcm) return glance(file, pcm, signal);
  return file.size <= DECODED_BYTES ? decode(file) : null;
}
