import type { Page } from '@playwright/test';

import { blankProfile } from '../src/features/settings/blankProfile';

/** The headings of a small file of transactions. */
export const HEAD =
  'id,policy_number,policy_effective_date,transaction_type,physical_state,line_of_business_list,premium,sl_tax,stamping_fee,mailing_insured_name,invoice_number,insurance_company_list,risk_description,layered_risk,risk_retention_group';

/** One of its rows, ready to be sent; another tax gives it a warning. */
export const row = (name: string, at: number, tax = '48.50', risk = 'Shop') =>
  `${name}-${at},${name}00${at},2026-02-23,PN,TX,GEN-1002,1000,${tax},0.40,Insured ${at},${name}${at},10899,${risk},0,0`;

/** A profile whose service doesn't answer: what is sent waits. */
export const PRODUCTION = {
  ...blankProfile(),
  name: 'Head office',
  environment: 'production',
  base_url: 'https://127.0.0.1:9',
  import_path: '/own/import.json',
  documents_path: '/own/documents.json',
};

/** For looking at, in both themes: `BORDEREAU_SHOTS=DIR`. */
export async function pictures(page: Page, name: string): Promise<void> {
  const folder = process.env['BORDEREAU_SHOTS'];
  if (!folder) return;
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ animations: 'disabled', path: `${folder}/${name}-${colorScheme}.png` });
  }
}
