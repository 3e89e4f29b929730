import type { Environment, QuoteSummary, ServiceState, StateInfo } from '../bindings/operations';

export const ENVIRONMENT_LABELS: Record<Environment, string> = {
  practice: 'Practice',
  sandbox: 'Sandbox',
  production: 'Production',
};

export const ENVIRONMENT_DESCRIPTIONS: Record<Environment, string> = {
  practice: 'Nothing leaves this computer',
  sandbox: 'A test site: nothing is filed',
  production: 'What is sent here is filed',
};

export const SERVICE_LABELS: Record<ServiceState, string> = {
  ready: 'service',
  offline: 'service not reached',
  starting: 'service starting',
  needs_credentials: 'needs a key or sign-in',
};

/** What a quote is found by: its name, and the name of its state. */
export function quoteSearchText(quote: QuoteSummary, states: readonly StateInfo[]): string {
  const state = states.find((each) => each.code === quote.state)?.name ?? '';
  return `${quote.name} ${state}`.trim();
}
