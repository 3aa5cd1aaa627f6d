/** In the file of the libraries, so that React starts with them and not with our code. */
export { createRoot, hydrateRoot } from 'react-dom/client';
