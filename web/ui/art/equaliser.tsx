/** Three bars that move while the track plays. */
export function Equaliser({ isPlaying }: { isPlaying: boolean }) {
  return (
    <span aria-hidden className="inline-flex h-4 items-end gap-0.5">
      {[45, 100, 65].map((height, i) => (
        <i
          key={height}
          className={`w-[3px] origin-bottom bg-week ${isPlaying ? 'animate-bounce-bar' : ''}`}
          style={{ height: `${height}%`, animationDelay: `${i * -300}ms` }}
        />
      ))}
    </span>
  );
}
