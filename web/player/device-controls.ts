import type { Engine } from './engine.ts';
import type { MediaSessionPorts } from './media-session.ts';

/** The device's own controls, loaded with the first sound: before it no device shows any. */
export function connectDeviceControls(engine: Engine, ports: MediaSessionPorts): () => void {
  let isOver = false;
  let disconnect = (): void => {};
  const unsubscribe = engine.listeningEvents.subscribe(({ type }) => {
    if (type !== 'started') return;
    unsubscribe();
    import('./media-session.ts').then(
      ({ connectMediaSession }) => {
        if (!isOver) disconnect = connectMediaSession(engine, ports);
      },
      // Playing needs no controls of the device; the next visit tries again.
      () => {},
    );
  });
  return () => {
    isOver = true;
    unsubscribe();
    disconnect();
  };
}
