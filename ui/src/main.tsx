import { createRoot } from 'react-dom/client';

import { App } from './App';
import { choosePlatform } from './platform';

const root = document.getElementById('root');
if (root) {
  void choosePlatform().then((platform) => createRoot(root).render(<App platform={platform} />));
}
