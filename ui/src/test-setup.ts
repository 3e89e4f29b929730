import { cleanup } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

// Lists and dialogs need it, and the document of the tests has none.
vi.stubGlobal('CSS', { escape: (text: string) => text });
Element.prototype.scrollIntoView = () => undefined;

afterEach(cleanup);
