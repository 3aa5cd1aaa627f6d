import { useNotices } from '#web/features/notifications/use-notices.ts';

/** One quiet line for listeners who could get notices and don't. */
export function NoticeLine() {
  const { device, isChanging, set } = useNotices();
  if (device?.support !== 'yes' || device.isSubscribed) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-1 pt-6 text-13 text-text-3">
      Like what you hear?
      <button
        type="button"
        className="min-h-11 text-left text-text-2 underline underline-offset-4 hover:text-text"
        disabled={isChanging}
        onClick={() => set(true)}
      >
        Get notified when the next mix is out
      </button>
    </p>
  );
}
