const HEIGHTS = [41, 59, 36, 55, 45, 100, 82];

/** Covers the window until the login check is done. */
export function Loader({ siteName }: { siteName: string }) {
  return (
    <div className="fixed inset-0 z-90 grid place-content-center bg-bg">
      <LoadingMark siteName={siteName} />
    </div>
  );
}

/** The logo's seven bars, animated, with a text. */
export function LoadingMark({ siteName }: { siteName: string }) {
  return (
    <div role="status" className="grid justify-items-center gap-7">
      <div aria-hidden className="flex h-[72px] items-end gap-[5px]">
        {HEIGHTS.map((height, day) => (
          <i
            key={day}
            className={`w-[9px] origin-bottom animate-bounce-bar rounded-[1.5px] ${day < 5 ? 'bg-text-3' : 'bg-text'}`}
            style={{ height: `${height}%`, animationDelay: `${day * -170}ms` }}
          />
        ))}
      </div>
      <p className="text-16 text-text-2">{`Loading ${siteName}…`}</p>
    </div>
  );
}
