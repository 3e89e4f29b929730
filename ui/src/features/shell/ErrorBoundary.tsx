import { Component, type ReactNode } from 'react';

import { Button } from '../../components';

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
    if (!this.state.error) return this.props.children;
    return (
      <div className="crash" role="alert">
        <div className="empty">
          <strong>Something went wrong in Bordereau</strong>
          <p>Your draft is saved. Please report this message: {this.state.error.message}</p>
          <Button look="primary" onClick={() => location.reload()}>
            Reload
          </Button>
        </div>
      </div>
    );
  }
}
