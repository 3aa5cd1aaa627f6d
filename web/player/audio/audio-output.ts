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
  /** `hasNoDevice`: the file is fine, but nothing here makes sound. */
  | { type: 'error'; reason: string; hasNoDevice?: true };

export type AudioCallback = (event: AudioEvent, generation: number) => void;

/** Finds the address that another device can load a file from. */
export type FindAddress = (url: string) => Promise<string>;

/** What casting needs of an output. */
export type CastableOutput = {
  readonly element: HTMLAudioElement;
  /** For every file from now on; null for their own addresses. */
  setFindAddress(find: FindAddress | null): void;
  /** Loads the current file again, and continues where it was. */
  reload(): Promise<void>;
};

export type AudioOutput = {
  /** Absent if no other device can play it. */
  readonly castable?: CastableOutput;
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
