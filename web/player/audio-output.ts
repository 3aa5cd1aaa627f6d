/** What an output tells about the file it was last given. Its events are the truth about playback. */
export type AudioEvent =
  | { type: 'loadedmetadata'; duration: number }
  | { type: 'durationchange'; duration: number }
  | { type: 'timeupdate'; time: number }
  | { type: 'playing' }
  | { type: 'paused' }
  | { type: 'waiting' }
  | { type: 'canplay' }
  | { type: 'ended' }
  | { type: 'error'; reason: string };

export type AudioCallback = (event: AudioEvent, generation: number) => void;

export type AudioOutput = {
  /** False where the device alone decides the volume, as on an iPhone. */
  readonly canFade: boolean;
  /** Drops what was there. Every event of this file carries the generation. */
  load(url: string, generation: number): void;
  unload(): void;
  /** Reaches the device before it returns: a phone allows sound only within the gesture itself. */
  play(): Promise<void>;
  pause(): void;
  seek(seconds: number): void;
  /** From 0 to 1; 0 mutes also where the volume cannot be set. */
  setVolume(volume: number): void;
  subscribe(listener: AudioCallback): () => void;
  dispose(): void;
};
