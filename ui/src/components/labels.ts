import type { Environment, QuoteSummary, ServiceState, StateInfo } from '../bindings/operations';

export const ENVIRONMENT_LABELS: Record<Environment, string> = {
  practice: 'Practice',
  sandbox: 'Sandbox',
  production: 'Production',
};

export const ENVIRONMENT_DESCRIPTIONS: Record<Environment, string> = {
  practice: 'Nothing leaves this computer',
  sandbox: 'Test site: nothing is filed',
  production: 'Live: what you send is filed',
};

export const SERVICE_LABELS: Record<ServiceState, string> = {
  ready: 'service connected',
  offline: 'service unreachable',
  starting: 'service starting',
  needs_credentials: 'needs an API key or sign-in',
};

/** What a quote is found by: its name, and the name of its state. */
export function quoteSearchText(quote: QuoteSummary, states: readonly StateInfo[]): string {
  const state = states.find((each) => each.code === quote.state)?.name ?? '';
  return `${quote.name} ${state}`.trim();
}
