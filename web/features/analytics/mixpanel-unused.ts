/**
 * The build puts these in place of the parts of Mixpanel's client that its core always loads but we
 * never use: feature flags, session recording, profiles, and watching clicks, links and forms.
 */

const done = (): Promise<void> => Promise.resolve();

export class FeatureFlagManager {
  init(): void {}
  reset(): void {}
  fetchFlags = done;
}

export class RecorderManager {
  checkAndStartSessionRecording = done;
  startRecordingOnEvent = done;
  stopSessionRecording = done;
  isRecordingHeatmapData = (): boolean => false;
  getSessionRecordingProperties = (): object => ({});
}

type Client = {
  get_config: (name: string) => unknown;
  track_pageview: (fields: object) => void;
};

/** Of what happens on a page, the client records by itself only that someone opened it. */
export class Autocapture {
  #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** In a task of its own, because starting the client already takes long. */
  init(): void {
    if (this.#client.get_config('track_pageview'))
      setTimeout(() => this.#client.track_pageview({ $mp_autocapture: true }));
  }
}

/** Profiles and groups of users. */
export class MixpanelPeople {
  _init(): void {}
  _flush(): void {}
  _identify_called = (): boolean => false;
  set_once(): void {}
}
export const MixpanelGroup = null;
export const LinkTracker = null;
export const FormTracker = null;

/** Every browser that runs this app has promises. */
const NativePromise = Promise;
export { NativePromise as Promise, NativePromise as NpoPromise };
