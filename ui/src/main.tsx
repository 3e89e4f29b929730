import { createRoot } from 'react-dom/client';

import { App } from './App';
import { choosePlatform } from './platform';
import { todayView } from './views';

const root = document.getElementById('root');
if (root) {
  void todayView.preload();
  void choosePlatform().then((platform) => createRoot(root).render(<App platform={platform} />));
}
