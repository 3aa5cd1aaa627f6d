const APP = 'app:';

/**
 * Where a music app plays: its password, and the network that it comes from, because a password can be
 * given to others. The same app in another network is another device, as long as both play.
 */
export const nameAppDevice = (appPasswordId: string, network: string): string =>
  `${APP}${appPasswordId}:${network.slice(0, 16)}`;

/** Null for the device of a session. */
export const findAppPasswordId = (device: string): string | null =>
  device.startsWith(APP) ? (device.split(':')[1] ?? null) : null;

/** An app loads the next track while one plays. More at the same time are more listeners. */
const TRACKS_OF_ONE_PLAYER = 2;

type Loading = { place: number; responses: number };

/** Which tracks a device is loading now, from this process. */
const loading = new Map<string, Map<string, Loading>>();

function findFreePlace(tracks: ReadonlyMap<string, Loading>): number {
  const taken = [...tracks.values()].map(({ place }) => place);
  const countOf = (place: number) => taken.filter((each) => each === place).length;
  if (countOf(0) < TRACKS_OF_ONE_PLAYER) return 0;
  let place = 1;
  while (countOf(place) > 0) place += 1;
  return place;
}

/** The device as which an app loads a track: another one for each track that it can't be playing. */
export function takeAppDevice(
  device: string,
  trackId: string,
): { device: string; release: () => void } {
  const tracks = loading.get(device) ?? new Map<string, Loading>();
  loading.set(device, tracks);
  const own = tracks.get(trackId) ?? { place: findFreePlace(tracks), responses: 0 };
  own.responses += 1;
  tracks.set(trackId, own);
  return {
    device: own.place === 0 ? device : `${device}:${own.place}`,
    release: () => {
      own.responses -= 1;
      if (own.responses > 0) return;
      tracks.delete(trackId);
      if (tracks.size === 0) loading.delete(device);
    },
  };
}
