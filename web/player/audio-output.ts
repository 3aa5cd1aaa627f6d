/** What an output reports about its file. Only these events say what really plays. */
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
  /** False if only the device sets the volume, as on an iPhone. */
  readonly canFade: boolean;
  /** Replaces the previous file. Every event of this file comes with its generation. */
  load(url: string, generation: number): void;
  unload(): void;
  /** Reaches the device before it returns: phones allow sound only within the user's gesture. */
  play(): Promise<void>;
  pause(): void;
  seek(seconds: number): void;
  /** From 0 to 1; 0 mutes even if the volume can't be set. */
  setVolume(volume: number): void;
  subscribe(callback: AudioCallback): () => void;
  dispose(): void;
};
