import type { Profile } from '../../bindings/operations';

/** A profile before anything was typed. */
export function blankProfile(): Profile {
  return {
    id: '',
    name: '',
    environment: 'sandbox',
    base_url: 'https://',
    client_type: 'enterprise',
    sign_in: 'api_key',
    username: '',
    ca_file: '',
    token_path: '',
    calculator_path: '',
    import_path: '',
    results_path: '',
    search_path: '',
    status_path: '',
    documents_path: '',
    forms_path: '',
    single_path: '',
    webhooks_path: '',
    rules_address: '',
    has_no_calculator: false,
    words: [],
    delivery_proof: 'signature',
    signature_header: '',
    signature_form: 'any',
    signature_prefix: '',
    requests_per_minute: 0,
    rows_per_request: 0,
    lines_file: '',
    kentucky_file: '',
    fee_charged_by: '',
    sends_quote_details: false,
    owner: '',
  };
}
