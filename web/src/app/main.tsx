import '@fontsource-variable/inter/index.css';
import '@mantine/core/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
import '../theme/tokens.css';
import '../theme/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ignoreStrayClicks } from '../components/stray-clicks.ts';
import { registerServiceWorker } from '../offline/kept-shop.ts';
import { App } from './app.tsx';

ignoreStrayClicks();
registerServiceWorker();
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
