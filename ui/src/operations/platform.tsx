import { createRequiredContext } from '../components/requiredContext';
import type { Platform } from '../platform';

export const [PlatformProvider, usePlatform] = createRequiredContext<Platform>('platform');
