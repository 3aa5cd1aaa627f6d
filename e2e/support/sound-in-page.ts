export type WatchedWindow = { media: Set<HTMLMediaElement> };

/**
 * Records every element that plays, because the player doesn't add them to the page. Like the other one,
 * it runs in the page, by its source alone.
 */
export function recordMedia(): void {
  const media = new Set<HTMLMediaElement>();
  Object.assign(window, { media });
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
    media.add(this);
    return play.call(this);
  };
}

/** The current time of the playing element; null in silence. */
export function readSoundTime(): number | null {
  const all = [...(window as unknown as WatchedWindow).media];
  const playing = all.find((element) => !element.paused && !element.ended);
  return playing?.currentTime ?? null;
}
