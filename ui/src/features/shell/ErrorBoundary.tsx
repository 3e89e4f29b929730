import { Component, type ReactNode } from 'react';

import { Button } from '../../components';

/** Scripts of the page that could not be loaded: no defect, their host has ended or was updated. */
const loadFailures = new WeakSet<Error>();
window.addEventListener('vite:preloadError', ({ payload }) => loadFailures.add(payload));

interface BoundaryState {
  error: Error | null;
}

/** The last net: a defect in a view shows what happened instead of an empty window. The draft is stored by then. */
export class ErrorBoundary extends Component<{ children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { error: null };

  static getDerivedStateFromError(error: Error): BoundaryState {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    const isLoadFailure = loadFailures.has(error);
    return (
      <div className="crash" role="alert">
        <div className="empty">
          <strong>{isLoadFailure ? 'This view can’t be loaded' : 'Something went wrong in Bordereau'}</strong>
          <p>
            {isLoadFailure
              ? 'Bordereau’s core has ended or was updated. What was saved is kept. If reloading doesn’t help, start Bordereau again, then open the address it prints.'
              : `Your draft is saved. Please report this message: ${error.message}`}
          </p>
          <Button look="primary" onClick={() => location.reload()}>
            Reload
          </Button>
        </div>
      </div>
    );
  }
}
