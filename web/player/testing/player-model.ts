import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import type { Track } from '#contract/tracks.ts';

/** How long a failed file waits for a fresh copy of its track. */
const COPY_TIMEOUT_MS = 5000;

type Snapshot = Pick<
  PlayerModel,
  | 'track'
  | 'index'
  | 'time'
  | 'duration'
  | 'isAtPreviewEnd'
  | 'hasSounded'
  | 'retriedAt'
  | 'pendingCopy'
  | 'file'
>;

/**
 * The specification's player as plainly as it can be said: no output, no promises, no states beyond
 * what each sentence demands. The engine is compared with it.
 */
export class PlayerModel {
  track: Track | null = null;
  queue: Track[] = [];
  index = -1;
  /** The list that playback started from; null if the user queued every track. */
  source: string | null = null;
  /** The tracks that the user added to it. */
  queuedIds = new Set<string>();
  mode: 'silent' | 'paused' | 'starting' | 'playing' | 'awaiting' = 'silent';
  isLoading = false;
  isBuffering = false;
  /** At the end of the preview, where late times do not move it. */
  isAtPreviewEnd = false;
  time = 0;
  duration = 0;
  volume = 0.7;
  priorVolume = 0.7;
  isSubscriber = false;
  isDataSaver = false;
  isQueueVisible = false;
  isExpanded = false;
  /** The address that was loaded for the current track; null while nothing is. */
  file: string | null = null;
  /** The file is loaded again once the server has said what it is now, or after this time. */
  copyDeadline: number | null = null;
  /** A copy with other access than the user's status says. */
  pendingCopy: Track | null = null;
  crossfadeSeconds = 0;
  /** The outputs can no longer play two files at once. */
  isCrossfadeRefused = false;
  /** The previous track, which plays on until the next one sounds. */
  fadingFrom: Snapshot | null = null;
  /** Two files are mixed; `endsAt` is known once the second one sounds. */
  fade: { seconds: number; endsAt: number | null; isPreviousOver: boolean } | null = null;
  sleepTimer: 'end-of-track' | number | null = null;
  isOnline = true;
  now: number;

  starts: string[] = [];
  stops: string[] = [];
  finishes: string[] = [];
  previewEnds: string[] = [];
  requests: string[] = [];
  loadErrors: string[] = [];
  failures: string[] = [];

  hasSounded = false;
  retriedAt: number | null = null;
  private isFinished = false;
  private canCrossfade = true;
  /** Where a series of failures without any sound began. */
  private origin: Snapshot | null = null;

  constructor(now: number) {
    this.now = now;
  }

  get isActive() {
    return this.mode === 'starting' || this.mode === 'playing';
  }

  // Commands

  setTrack(track: Track) {
    const found = this.queue.findIndex(({ id }) => id === track.id);
    this.queue = found === -1 ? [...this.queue, track] : this.queue.with(found, track);
    this.origin = null;
    this.load(track, found === -1 ? this.queue.length - 1 : found);
  }

  play() {
    if (!this.track) return this.playTrackAt(this.index);
    if (this.mode === 'playing') return;
    this.copyDeadline = null;
    if (!this.isSubscriber && this.time >= PREVIEW_SECONDS) this.moveTo(0);
    if (this.file === null) {
      this.isLoading = true;
      this.file = this.pickFile(this.track);
    }
    this.mode = 'starting';
  }

  pause() {
    if (!this.track) return;
    if (this.isActive) this.reportStop();
    this.endFade();
    this.copyDeadline = null;
    this.mode = 'paused';
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

  playTracks(tracks: Track[], source: string | null) {
    if (tracks.length === 0) return;
    this.queue = tracks;
    this.source = source;
    this.queuedIds = new Set();
    this.playTrackAt(0);
  }

  playTrackAt(index: number) {
    const track = this.queue[index];
    if (!track) return;
    this.origin = null;
    this.load(track, index);
    this.play();
  }

  /** The first place after everything the user queued. */
  private get endOfUpNext() {
    let end = this.index + 1;
    this.queue.forEach(({ id }, index) => {
      if (index >= end && (this.source === null || this.queuedIds.has(id))) end = index + 1;
    });
    return end;
  }

  /** Wherever the track was, it is there once afterwards, unless it is the current one. */
  private place(track: Track, findPlace: () => number) {
    if (this.queue[this.index]?.id === track.id) return;
    for (let at = this.queue.length - 1; at >= 0; at--)
      if (this.queue[at]?.id === track.id) this.removeFromQueue(at);
    this.queue = this.queue.toSpliced(findPlace(), 0, track);
    this.queuedIds.add(track.id);
  }

  addToQueue(track: Track) {
    this.place(track, () => this.endOfUpNext);
  }

  playNext(track: Track) {
    this.place(track, () => this.index + 1);
  }

  removeFromQueue(index: number) {
    const track = this.queue[index];
    if (index === this.index || !track) return;
    this.queue = this.queue.filter((_, each) => each !== index);
    this.queuedIds.delete(track.id);
    if (index < this.index) this.index -= 1;
  }

  moveInQueue(from: number, to: number, isQueued: boolean) {
    const track = this.queue[from];
    if (!this.track || !track || !this.queue[to] || from <= this.index || to <= this.index) return;
    this.queue = this.queue.filter((_, each) => each !== from);
    this.queue.splice(to, 0, track);
    if (isQueued) this.queuedIds.add(track.id);
    else this.queuedIds.delete(track.id);
  }

  setQueue(tracks: Track[]) {
    this.queue = tracks;
    this.index = tracks.length > 0 ? 0 : -1;
    this.source = null;
    this.queuedIds = new Set();
  }

  clear() {
    const { source } = this;
    this.setQueue([]);
    this.source = source;
  }

  close() {
    if (this.sleepTimer === 'end-of-track') this.sleepTimer = null;
    this.reset();
  }

  seek(seconds: number) {
    if (!this.track) return;
    const hasFullFile = this.isSubscriber && this.track.access === 'full';
    const cap = hasFullFile ? this.duration : Math.min(this.duration, PREVIEW_SECONDS);
    this.moveTo(Math.max(0, Math.min(seconds, cap)));
    if (!this.isSubscriber && this.time >= PREVIEW_SECONDS) this.endPreview();
  }

  setVolume(volume: number) {
    this.volume = volume;
  }

  mute() {
    if (this.volume === 0) return;
    this.priorVolume = this.volume;
    this.volume = 0;
  }

  unmute() {
    if (this.volume === 0) this.volume = this.priorVolume;
  }

  toggleMute() {
    if (this.volume === 0) this.unmute();
    else this.mute();
  }

  setSubscriber(isSubscriber: boolean) {
    if (isSubscriber === this.isSubscriber) return;
    this.isSubscriber = isSubscriber;
    if (isSubscriber) this.isAtPreviewEnd = false;
    else if (this.isActive && this.time >= PREVIEW_SECONDS) this.endPreview();
    const access = isSubscriber ? 'full' : 'preview';
    if (this.pendingCopy?.access === access) this.switchFile(this.pendingCopy);
    this.requestOthersThan(access);
  }

  /** A newer copy of a track arrives. */
  refreshTrack(fresh: Track) {
    this.queue = this.queue.map((track) => (track.id === fresh.id ? fresh : track));
    if (this.track?.id !== fresh.id) return;
    const isAwaitingCopy = this.copyDeadline !== null;
    if (fresh.access === this.track.access) {
      this.track = fresh;
      if (isAwaitingCopy) this.play();
    } else if (fresh.access === 'full' ? !this.isSubscriber : this.isSubscriber && isAwaitingCopy)
      this.pendingCopy = fresh;
    else this.switchFile(fresh);
  }

  toggleQueue() {
    if (this.track) this.isQueueVisible = !this.isQueueVisible;
  }

  toggleExpanded() {
    if (this.track) this.isExpanded = !this.isExpanded;
  }

  /** The page is closed and opened again: everything is there, silent and not loaded. */
  reopen() {
    const { track, queue, index, source, queuedIds, time } = this;
    this.close();
    if (!track) return;
    Object.assign(this, { track, queue, index, source, queuedIds });
    const reachable = track.access === 'preview' ? PREVIEW_SECONDS : track.duration;
    this.time = Math.min(time, reachable);
    this.duration = track.duration;
  }

  /** Another tab starts to play. */
  otherTabStarts() {
    if (this.isActive) this.pause();
  }

  /** Time passes, and whatever is due happens in its order. */
  advance(ms: number) {
    const end = this.now + ms;
    for (;;) {
      const sleepAt = typeof this.sleepTimer === 'number' ? this.sleepTimer : Infinity;
      const copyAt = this.copyDeadline ?? Infinity;
      const fadeAt = this.fade?.endsAt ?? Infinity;
      const due = Math.min(sleepAt, copyAt, fadeAt);
      if (due > end) break;
      this.now = Math.max(this.now, due);
      if (due === fadeAt) this.fade = null;
      else if (due === copyAt) this.play();
      else {
        this.sleepTimer = null;
        this.pause();
      }
    }
    this.now = end;
  }

  // What the audio does

  metadata(fileSeconds: number) {
    this.isLoading = false;
    if (this.track?.access === 'full') this.duration = fileSeconds;
  }

  started() {
    // A device that resumes by itself is paused again at the end of the preview.
    if (this.isAtPreviewEnd) return;
    if (this.mode !== 'playing') this.starts.push(this.track?.id ?? '');
    this.mode = 'playing';
    this.isBuffering = false;
    this.hasSounded = true;
    this.isFinished = false;
    this.origin = null;
    this.fadingFrom = null;
    if (this.fade) this.fade.endsAt ??= this.now + this.fade.seconds * 1000;
  }

  playRejected(isForbidden: boolean) {
    if (this.fadingFrom && !isForbidden) return this.returnToPrevious();
    if (this.fade) {
      // The next track is tried in the output that the user's gesture has started before.
      this.endFade();
      this.isCrossfadeRefused = true;
      return;
    }
    this.mode = 'silent';
    this.isBuffering = false;
    if (isForbidden) return;
    if (!this.isOnline) this.halt();
    else if (this.queue[this.index + 1] || this.origin) this.skip();
    else this.announceFailure('waiting');
  }

  reached(time: number) {
    if (this.isAtPreviewEnd) return;
    if (!this.isSubscriber && time >= PREVIEW_SECONDS) return this.endPreview();
    this.time = time;
    this.isBuffering = false;
    if (this.isCrossfadeDue()) this.crossfade();
  }

  /** The track that is fading out reaches its end before the next one sounds. */
  previousEnded() {
    this.fadingFrom = null;
    if (this.fade) this.fade.isPreviousOver = true;
  }

  ended() {
    if (!this.isSubscriber && this.duration >= PREVIEW_SECONDS) return this.endPreview();
    if (this.track?.access === 'preview' && this.track.duration > PREVIEW_SECONDS) {
      this.reportStop();
      this.requests.push(this.track.id);
      this.mode = this.mode === 'paused' ? 'paused' : 'awaiting';
      this.isBuffering = false;
      return;
    }
    this.isFinished = true;
    this.hasSounded = true;
    this.finishes.push(this.track?.id ?? '');
    if (this.sleepTimer === 'end-of-track') {
      this.sleepTimer = null;
      return this.stop();
    }
    this.mode = 'silent';
    this.advanceQueue();
  }

  failed() {
    if (this.fadingFrom) return this.returnToPrevious();
    this.loadErrors.push(`Error playing track: ${this.track?.title}`);
    const hasFailedHere = this.retriedAt !== null && Math.abs(this.time - this.retriedAt) < 5;
    if (!this.isOnline) this.halt();
    else if (this.hasSounded && !hasFailedHere) this.retry();
    else this.skip();
  }

  stalled() {
    if (this.mode === 'playing') this.isBuffering = true;
  }

  // What several of them do

  private pickFile(track: Track): string {
    return (this.isDataSaver && track.dataSaverUrl) || track.fileUrl;
  }

  /** Listening stops, and that is reported. */
  private reportStop(time = this.time) {
    if (this.track && this.hasSounded && !this.isFinished)
      this.stops.push(`${this.track.id} ${time}`);
  }

  private requestOthersThan(access: Track['access']) {
    const latest = new Map<string, Track>();
    for (const track of this.track ? [this.track, ...this.queue] : this.queue)
      latest.set(track.id, track);
    for (const track of latest.values()) if (track.access !== access) this.requests.push(track.id);
  }

  private endFade() {
    this.fade = null;
    this.fadingFrom = null;
  }

  private isCrossfadeDue(): boolean {
    const left = this.duration - this.time;
    const isWanted =
      this.mode === 'playing' &&
      this.isSubscriber &&
      this.canCrossfade &&
      !this.isCrossfadeRefused &&
      this.track?.access === 'full' &&
      this.queue[this.index + 1]?.access === 'full' &&
      this.sleepTimer !== 'end-of-track';
    const isLongEnough = this.duration >= 3 * this.crossfadeSeconds;
    return isWanted && isLongEnough && left > 0 && left <= this.crossfadeSeconds;
  }

  private crossfade() {
    const seconds = this.duration - this.time;
    const next = this.queue[this.index + 1];
    if (!next) return;
    this.finishes.push(this.track?.id ?? '');
    const previous = this.takeSnapshot();
    this.enter(next, this.index + 1);
    this.mode = 'starting';
    this.fadingFrom = previous;
    this.fade = { seconds, endsAt: null, isPreviousOver: false };
  }

  private takeSnapshot(): Snapshot {
    const { track, index, time, duration, isAtPreviewEnd } = this;
    const { hasSounded, retriedAt, pendingCopy, file } = this;
    return {
      track,
      index,
      time,
      duration,
      isAtPreviewEnd,
      hasSounded,
      retriedAt,
      pendingCopy,
      file,
    };
  }

  private restoreSnapshot(snapshot: Snapshot) {
    const isThere = this.queue[snapshot.index]?.id === snapshot.track?.id;
    const found = this.queue.findIndex(({ id }) => id === snapshot.track?.id);
    const index = snapshot.index === -1 || isThere ? snapshot.index : found;
    Object.assign(this, snapshot, { index });
  }

  /** The next file cannot be faded in: the one before it plays to its end. */
  private returnToPrevious() {
    if (!this.fadingFrom) return;
    this.restoreSnapshot(this.fadingFrom);
    this.endFade();
    this.mode = 'playing';
    this.isFinished = false;
    this.isLoading = false;
    this.isBuffering = false;
    this.canCrossfade = false;
  }

  /** Continues at the same position of the track in another file. */
  private switchFile(fresh: Track) {
    if (!this.track) return;
    const isWanted = this.isActive || this.mode === 'awaiting';
    this.isAtPreviewEnd &&= fresh.access === 'preview';
    const { previewStart } = this.track;
    const position = this.track.access === 'preview' ? previewStart + this.time : this.time;
    const inPreview = position - fresh.previewStart;
    const isInPreview = inPreview >= 0 && inPreview < PREVIEW_SECONDS;
    this.reportStop();
    this.endFade();
    this.retriedAt = null;
    this.pendingCopy = null;
    this.copyDeadline = null;
    if (this.file !== null) {
      this.file = this.pickFile(fresh);
      this.isLoading = true;
    }
    this.track = fresh;
    this.duration = fresh.duration;
    if (this.isAtPreviewEnd) this.time = PREVIEW_SECONDS;
    else if (fresh.access === 'full') this.time = position;
    else this.time = isInPreview ? inPreview : 0;
    this.isBuffering = false;
    if (!isWanted) return;
    this.mode = 'silent';
    this.play();
  }

  private retry() {
    this.retriedAt = this.time;
    this.letGo();
    if (this.mode === 'paused') return;
    this.mode = 'starting';
    if (this.track?.access === 'preview') return this.play();
    this.copyDeadline = this.now + COPY_TIMEOUT_MS;
    this.requests.push(this.track?.id ?? '');
  }

  private letGo() {
    this.reportStop();
    this.endFade();
    this.file = null;
    this.isLoading = false;
    this.isBuffering = false;
  }

  private announceFailure(outcome: string) {
    this.failures.push(`${this.origin ? 'then ' : ''}${this.track?.id} ${outcome}`);
  }

  private halt() {
    this.announceFailure('waiting');
    this.letGo();
    if (this.origin) this.restoreSnapshot({ ...this.origin, file: null });
    this.origin = null;
    this.mode = 'silent';
  }

  /** One bad file is skipped; if everything that was left fails, the files are not to blame. */
  private skip() {
    const hasNext = this.queue[this.index + 1] !== undefined;
    if (this.origin && !hasNext) return this.halt();
    this.announceFailure(hasNext ? 'skipped' : 'stopped');
    this.origin ??= this.takeSnapshot();
    this.advanceQueue();
  }

  private load(track: Track, index: number) {
    this.reportStop();
    this.endFade();
    this.enter(track, index);
  }

  private enter(track: Track, index: number) {
    this.file = this.pickFile(track);
    this.copyDeadline = null;
    this.pendingCopy = null;
    this.hasSounded = false;
    this.isFinished = false;
    this.canCrossfade = true;
    this.retriedAt = null;
    this.track = track;
    this.index = index;
    this.mode = 'silent';
    this.isLoading = true;
    this.isBuffering = false;
    this.isAtPreviewEnd = false;
    this.time = 0;
    this.duration = track.duration;
  }

  private advanceQueue() {
    const isPaused = this.mode === 'paused';
    const next = this.queue[this.index + 1];
    if (!next) {
      this.sleepTimer = null;
      return this.reset();
    }
    this.load(next, this.index + 1);
    if (isPaused) this.mode = 'paused';
    else this.play();
  }

  private restart() {
    if (!this.track) return this.playTrackAt(this.index);
    this.moveTo(0);
    this.play();
  }

  private moveTo(time: number) {
    if (!this.track) return;
    this.endFade();
    this.time = time;
    this.isAtPreviewEnd = false;
  }

  private endPreview() {
    if (this.isActive) this.reportStop(PREVIEW_SECONDS);
    this.endFade();
    if (this.sleepTimer === 'end-of-track') this.sleepTimer = null;
    this.copyDeadline = null;
    this.time = PREVIEW_SECONDS;
    this.isAtPreviewEnd = true;
    this.isBuffering = false;
    if (!this.isActive) {
      if (this.mode === 'awaiting') this.mode = 'silent';
      return;
    }
    this.mode = 'paused';
    this.previewEnds.push(this.track?.id ?? '');
  }

  private reset() {
    this.reportStop();
    this.endFade();
    this.track = null;
    this.setQueue([]);
    this.mode = 'silent';
    this.isLoading = false;
    this.isBuffering = false;
    this.isAtPreviewEnd = false;
    this.time = 0;
    this.duration = 0;
    this.isQueueVisible = false;
    this.isExpanded = false;
    this.file = null;
    this.copyDeadline = null;
    this.pendingCopy = null;
    this.hasSounded = false;
    this.isFinished = false;
    this.canCrossfade = true;
    this.retriedAt = null;
    this.origin = null;
  }
}
