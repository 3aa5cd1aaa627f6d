/** `45 min`, `9 h 20 min`: how long many mixes are together. */
export function formatHours(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  const hours = Math.floor(minutes / 60);
  const rest = `${minutes % 60} min`;
  return hours === 0 ? rest : `${hours} h ${rest}`;
}

/** m:ss with zero-padded seconds; minutes run past 59. */
export function formatDuration(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0;
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
