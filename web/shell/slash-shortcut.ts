/** Here a slash is text, or the focus must stay. */
const TYPING = 'input, textarea, select, [contenteditable], [role=dialog], [role=menu]';

/** `/` presses the header's search button, which focuses the box, or opens it on a phone. */
export function watchSlash(): void {
  window.addEventListener('keydown', (event) => {
    const isChord = event.ctrlKey || event.metaKey || event.altKey;
    if (event.key !== '/' || event.defaultPrevented || isChord) return;
    if (event.target instanceof Element && event.target.closest(TYPING)) return;
    const opener = document.getElementById('open-search');
    if (!opener) return;
    event.preventDefault();
    opener.click();
  });
}
