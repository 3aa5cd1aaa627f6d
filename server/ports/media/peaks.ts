const MAX_BLOCKS = 65_536;
const FIRST_BLOCK_SAMPLES = 16;
const PEAK_COUNT = 1600;

export type PeakMeter = {
  /** 16-bit little-endian mono samples, split anywhere. */
  push: (chunk: Uint8Array) => void;
  finish: () => { durationSeconds: number; peaks: number[]; energy: number[] };
};

const roundPeak = (value: number) => Math.round(value * 1000) / 1000;

/**
 * Measures audio of any length in constant memory: when all blocks are full, neighbours merge into
 * blocks of twice the length.
 */
export function createPeakMeter(sampleRate: number): PeakMeter {
  const highest = new Float64Array(MAX_BLOCKS);
  const squares = new Float64Array(MAX_BLOCKS);
  let blockSamples = FIRST_BLOCK_SAMPLES;
  let blocks = 0;
  let filled = 0;
  let peak = 0;
  let sum = 0;
  let total = 0;
  let oddByte = -1;

  const mergeBlocks = () => {
    blocks = MAX_BLOCKS / 2;
    blockSamples *= 2;
    for (let index = 0; index < blocks; index += 1) {
      const [left, right] = [index * 2, index * 2 + 1];
      highest[index] = Math.max(highest[left] ?? 0, highest[right] ?? 0);
      squares[index] = (squares[left] ?? 0) + (squares[right] ?? 0);
    }
  };
  const closeBlock = () => {
    if (blocks === MAX_BLOCKS) mergeBlocks();
    // A merge doubles the block size; the open block then keeps filling.
    if (filled < blockSamples) return;
    highest[blocks] = peak;
    squares[blocks] = sum;
    blocks += 1;
    filled = 0;
    peak = 0;
    sum = 0;
  };
  const pushSamples = (samples: Int16Array) => {
    total += samples.length;
    for (let at = 0; at < samples.length;) {
      const end = Math.min(samples.length, at + blockSamples - filled);
      filled += end - at;
      for (; at < end; at += 1) {
        const value = samples[at] ?? 0;
        const size = value < 0 ? -value : value;
        if (size > peak) peak = size;
        sum += value * value;
      }
      if (filled >= blockSamples) closeBlock();
    }
  };

  const push = (chunk: Uint8Array) => {
    let bytes = chunk;
    if (oddByte >= 0) {
      bytes = Buffer.concat([Buffer.of(oddByte), chunk]);
      oddByte = -1;
    }
    const whole = bytes.length - (bytes.length % 2);
    if (whole < bytes.length) oddByte = bytes[whole] ?? -1;
    const isAligned = bytes.byteOffset % 2 === 0;
    const view = isAligned ? bytes : Uint8Array.from(bytes);
    pushSamples(new Int16Array(view.buffer, view.byteOffset, whole / 2));
  };

  const finish = () => {
    const blockSeconds = blockSamples / sampleRate;
    const durationSeconds = total / sampleRate;
    const count = Math.min(PEAK_COUNT, Math.max(1, blocks));
    // The mean of many short peaks shows a break between two drops; the maximum over some seconds
    // of dance music is always the kick.
    const raw = Array.from({ length: count }, (_, index) => {
      const from = Math.floor((index * blocks) / count);
      const to = Math.max(from + 1, Math.floor(((index + 1) * blocks) / count));
      let value = 0;
      for (let block = from; block < to; block += 1) value += highest[block] ?? 0;
      return value / (to - from);
    });
    const top = Math.max(...raw, 1);
    const energy = Array.from({ length: Math.ceil(durationSeconds) }, (_, second) => {
      const from = Math.min(blocks - 1, Math.floor(second / blockSeconds));
      const to = Math.min(blocks, Math.max(from + 1, Math.floor((second + 1) / blockSeconds)));
      let value = 0;
      for (let block = from; block < to; block += 1) value += squares[block] ?? 0;
      return value / Math.max(1, (to - from) * blockSamples) / 32_768 ** 2;
    });
    return { durationSeconds, peaks: raw.map((value) => roundPeak(value / top)), energy };
  };
  return { push, finish };
}
