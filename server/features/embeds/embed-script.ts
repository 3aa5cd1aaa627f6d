/**
 * The script of an embed. It plays the preview and nothing else: it keeps nothing, and sends nothing to
 * the page around it. One word goes to the other frames of that page, so that an embed among them
 * pauses: without an origin, they share no channel and no storage.
 */
export const embedScript = `
const find = (id) => document.getElementById(id);
const [audio, play, seek, time, note] = ['audio', 'play', 'seek', 'time', 'note'].map(find);
const facts = note.textContent;
const format = (seconds) => Math.floor(seconds / 60) + ':' + String(Math.floor(seconds % 60)).padStart(2, '0');
const show = () => {
  const [at, end] = [audio.currentTime, Number(seek.max)];
  seek.value = at;
  seek.style.setProperty('--played', (end ? (at / end) * 100 : 0) + '%');
  seek.setAttribute('aria-valuetext', format(at) + ' of ' + format(end));
  time.textContent = format(at) + ' / ' + format(end);
};
const showState = () => {
  const isOn = !audio.paused && !audio.ended;
  document.body.toggleAttribute('data-playing', isOn);
  play.setAttribute('aria-label', isOn ? 'Pause' : 'Play preview');
};
const fail = (error) => {
  if (error?.name === 'AbortError') return;
  note.textContent = 'The preview didn’t load. Try again.';
  showState();
};
play.onclick = () => {
  if (!audio.paused && !audio.ended) return audio.pause();
  note.textContent = facts;
  if (audio.error) audio.load();
  audio.play().catch(fail);
};
seek.oninput = () => { audio.currentTime = Number(seek.value); show(); };
audio.onloadedmetadata = () => {
  if (Number.isFinite(audio.duration)) seek.max = audio.duration;
  show();
};
audio.ontimeupdate = show;
const tellOthers = (page) => {
  for (let i = 0; i < page.length; i++) {
    if (page[i] !== window) page[i].postMessage('embed:playing', '*');
    tellOthers(page[i]);
  }
};
audio.onplay = () => { showState(); tellOthers(top); };
audio.onpause = showState;
onmessage = ({ data }) => { if (data === 'embed:playing') audio.pause(); };
audio.onended = () => { showState(); document.body.setAttribute('data-ended', ''); };
for (const part of [play, seek, time]) part.hidden = false;
show();
`.replace(/\n\s*/g, '\n');
