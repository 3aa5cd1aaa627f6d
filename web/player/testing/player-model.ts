import type { Track } from '#contract/tracks.ts';

type Spot = Pick<PlayerModel, 'track' | 'index' | 'time' | 'duration' | 'isPinned'> & {
  hasSounded: boolean;
  retriedAt: number | null;
};

/**
 * The specification's player as plainly as it can be said: no output, no promises, no events, only
 * what each sentence demands. The engine is held against it.
 */
export class PlayerModel {
  track: Track | null = null;
  queue: Track[] = [];
  index = -1;
  mode: 'silent' | 'held' | 'starting' | 'playing' | 'awaiting' = 'silent';
  isLoading = false;
  isBuffering = false;
  /** At the end of the preview, where late times do not move it. */
  isPinned = false;
  time = 0;
  duration = 0;
  volume = 0.7;
  prior = 0.7;
  isSubscriber = false;
  isQueueVisible = false;
  isExpanded = false;
  starts: string[] = [];
  previewEnds: string[] = [];
  loadErrors: string[] = [];
  isOnline = true;
  halts = 0;
  /** The device holds no file of the current track; play loads it. */
  isUnloaded = false;
  /** The file is loaded again once the server has said what it is now. */
  isAwaitingCopy = false;
  private hasSounded = false;
  private retriedAt: number | null = null;
  /** Where a row of failures without any sound began. */
  private origin: Spot | null = null;

  get isActive() {
    return this.mode === 'starting' || this.mode === 'playing';
  }

  // Commands

  setTrack(track: Track) {
    const found = this.queue.findIndex(({ id }) => id === track.id);
    if (found === -1) this.queue = [...this.queue, track];
    this.origin = null;
    this.enter(track, found === -1 ? this.queue.length - 1 : found);
  }

  play() {
    if (!this.track) return this.playTrackAt(this.index);
    if (this.mode === 'playing') return;
    this.isAwaitingCopy = false;
    if (this.isUnloaded) this.isLoading = true;
    this.isUnloaded = false;
    if (!this.isSubscriber && this.time >= 20) this.moveTo(0);
    this.mode = 'starting';
  }

  pause() {
    if (!this.track) return;
    this.mode = 'held';
    this.isBuffering = false;
  }

  stop() {
    this.pause();
    this.moveTo(0);
  }

  togglePlay() {
    if (this.isActive) this.pause();
    else this.play();
  }

  skipToNext() {
    if (this.queue[this.index + 1]) this.playTrackAt(this.index + 1);
    else this.restart();
  }

  skipToPrevious() {
    if (this.time > 3 || this.index <= 0) this.restart();
    else this.playTrackAt(this.index - 1);
  }

  playTracks(tracks: Track[]) {
    if (tracks.length === 0) return;
    this.queue = tracks;
    this.playTrackAt(0);
  }

  playTrackAt(index: number) {
    if (!this.queue[index]) return;
    this.origin = null;
    this.playPlace(index);
  }

  addToQueue(track: Track) {
    if (!this.queue.some(({ id }) => id === track.id)) this.queue = [...this.queue, track];
  }

  removeFromQueue(index: number) {
    if (index === this.index || !this.queue[index]) return;
    this.queue = this.queue.filter((_, place) => place !== index);
    if (index < this.index) this.index -= 1;
  }

  setQueue(tracks: Track[]) {
    this.queue = tracks;
    this.index = tracks.length > 0 ? 0 : -1;
  }

  clear() {
    this.setQueue([]);
  }

  close() {
    const { queue } = this;
    this.resetEverything();
    this.queue = queue;
  }

  seek(seconds: number) {
    if (!this.track) return;
    const hasAllOfIt = this.isSubscriber && this.track.access === 'full';
    const cap = hasAllOfIt ? this.duration : Math.min(this.duration, 20);
    this.moveTo(Math.max(0, Math.min(seconds, cap)));
    if (!this.isSubscriber && this.time >= 20) this.endPreview();
  }

  setVolume(volume: number) {
    this.volume = volume;
  }

  mute() {
    if (this.volume === 0) return;
    this.prior = this.volume;
    this.volume = 0;
  }

  unmute() {
    if (this.volume === 0) this.volume = this.prior;
  }

  setSubscriber(isSubscriber: boolean) {
    if (isSubscriber === this.isSubscriber) return;
    this.isSubscriber = isSubscriber;
    if (isSubscriber) this.isPinned = false;
    if (!isSubscriber && this.isActive && this.time >= 20) this.endPreview();
  }

  toggleQueue() {
    if (this.track) this.isQueueVisible = !this.isQueueVisible;
  }

  toggleExpanded() {
    if (this.track) this.isExpanded = !this.isExpanded;
  }

  // What the audio does

  metadata(fileSeconds: number) {
    this.isLoading = false;
    if (this.track?.access === 'full') this.duration = fileSeconds;
  }

  started() {
    // A device that resumes by itself is paused again at the end of the preview.
    if (this.isPinned) return;
    if (this.mode !== 'playing') this.starts.push(this.track?.id ?? '');
    this.mode = 'playing';
    this.isBuffering = false;
    this.hasSounded = true;
    this.origin = null;
  }

  playRejected(isForbidden: boolean) {
    this.mode = 'silent';
    this.isBuffering = false;
    if (isForbidden) return;
    if (!this.isOnline) this.halt();
    else if (this.queue[this.index + 1] || this.origin) this.skip();
  }

  reached(time: number) {
    if (this.isPinned) return;
    if (!this.isSubscriber && time >= 20) return this.endPreview();
    this.time = time;
    this.isBuffering = false;
  }

  ended() {
    if (!this.isSubscriber && this.duration >= 20) return this.endPreview();
    if (this.track?.access === 'preview' && this.track.duration > 20) {
      this.mode = this.mode === 'held' ? 'held' : 'awaiting';
      this.isBuffering = false;
      return;
    }
    this.mode = 'silent';
    this.goOn();
  }

  failed() {
    this.loadErrors.push(`Error playing track: ${this.track?.title}`);
    const hasFailedHere = this.retriedAt !== null && Math.abs(this.time - this.retriedAt) < 5;
    if (!this.isOnline) this.halt();
    else if (this.hasSounded && !hasFailedHere) this.retry();
    else this.skip();
  }

  /** The server has answered with the same track, or has not answered in time. */
  copyArrived() {
    if (!this.isAwaitingCopy) return;
    this.isAwaitingCopy = false;
    if (this.mode !== 'held') this.play();
  }

  stalled() {
    if (this.mode === 'playing') this.isBuffering = true;
  }

  // What several of them do

  private retry() {
    this.retriedAt = this.time;
    this.letGo();
    if (this.mode === 'held') return;
    this.mode = 'starting';
    this.isAwaitingCopy = this.track?.access === 'full';
    if (!this.isAwaitingCopy) this.play();
  }

  private letGo() {
    this.isUnloaded = true;
    this.isLoading = false;
    this.isBuffering = false;
  }

  private halt() {
    this.letGo();
    if (this.origin) {
      const isThere = this.queue[this.origin.index]?.id === this.origin.track?.id;
      const found = this.queue.findIndex(({ id }) => id === this.origin?.track?.id);
      const index = this.origin.index === -1 || isThere ? this.origin.index : found;
      Object.assign(this, this.origin, { index });
    }
    this.origin = null;
    this.mode = 'silent';
    this.halts += 1;
  }

  /** One bad file is skipped; only where all that was left failed is nobody's queue to blame. */
  private skip() {
    if (this.origin && !this.queue[this.index + 1]) return this.halt();
    const { track, index, time, duration, isPinned, hasSounded, retriedAt } = this;
    this.origin ??= { track, index, time, duration, isPinned, hasSounded, retriedAt };
    this.goOn();
  }

  private playPlace(index: number) {
    const track = this.queue[index];
    if (!track) return;
    this.enter(track, index);
    this.play();
  }

  private enter(track: Track, index: number) {
    this.isUnloaded = false;
    this.isAwaitingCopy = false;
    this.hasSounded = false;
    this.retriedAt = null;
    this.track = track;
    this.index = index;
    this.mode = 'silent';
    this.isLoading = true;
    this.isBuffering = false;
    this.isPinned = false;
    this.time = 0;
    this.duration = track.duration;
  }

  private goOn() {
    const isHeld = this.mode === 'held';
    const next = this.queue[this.index + 1];
    if (!next) return this.resetEverything();
    this.enter(next, this.index + 1);
    if (isHeld) this.mode = 'held';
    else this.play();
  }

  private restart() {
    this.moveTo(0);
    this.play();
  }

  private moveTo(time: number) {
    if (!this.track) return;
    this.time = time;
    this.isPinned = false;
  }

  private endPreview() {
    this.time = 20;
    this.isPinned = true;
    this.isBuffering = false;
    if (!this.isActive) {
      if (this.mode === 'awaiting') this.mode = 'silent';
      return;
    }
    this.mode = 'held';
    this.previewEnds.push(this.track?.id ?? '');
  }

  private resetEverything() {
    this.track = null;
    this.queue = [];
    this.index = -1;
    this.mode = 'silent';
    this.isLoading = false;
    this.isBuffering = false;
    this.isPinned = false;
    this.time = 0;
    this.duration = 0;
    this.isQueueVisible = false;
    this.isExpanded = false;
    this.isUnloaded = false;
    this.isAwaitingCopy = false;
    this.origin = null;
  }
}
