import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import type {
  ReferenceData,
  SheetSection,
  SheetTemplateDraft,
  SheetTemplateList,
  SheetTemplateSave,
} from '../../bindings/operations';
import { OperationError } from '../../platform';
import { showWithAnswers } from '../../testing';
import { SheetTemplateForm } from './SheetTemplateForm';

const section = (show: SheetSection['show'], title = '', text = ''): SheetSection => ({ show, title, text });
const TEMPLATE = {
  title: 'Quote',
  section: [section('policy'), section('amounts', 'Amounts'), section('stamp', 'Stamp')],
};
const invalid = new OperationError('sheet_template_show', {
  code: 'validation',
  message: '',
  details: [{ pointer: '/text', message: 'TOML parse error at line 2' }],
  retryable: false,
});

const changed = new OperationError('sheet_template_save', {
  code: 'changed_elsewhere',
  message: 'Someone else changed this template meanwhile, so your change wasn’t saved.',
  details: [{ pointer: '/line/0', message: 'Line 1: yours is "overtaken", theirs is "bob".' }],
  retryable: false,
  revision: 'of bob',
});
const standardFirst = (one: { name: string }, other: { name: string }) =>
  Number(other.name === 'Standard') - Number(one.name === 'Standard') || one.name.localeCompare(other.name);

let call: ReturnType<typeof showWithAnswers>;

beforeEach(async () => {
  const standard = { name: 'Standard', text: 'stored', built_in: true, revision: 'r1' };
  let list: SheetTemplateList = { templates: [standard], chosen: 'Standard' };
  const named = (name: string, text: string) => ({ name, text, built_in: false, revision: 'r2' });
  call = showWithAnswers(<SheetTemplateForm />, {} as ReferenceData, {
    sheet_template_list: () => list,
    sheet_template_show: ({ text, template }: SheetTemplateDraft) =>
      text === 'storedX'
        ? Promise.reject(invalid)
        : {
            text: template ? 'written' : text,
            template: template ?? TEMPLATE,
            left_out: [section('notes', 'Notes')],
            pages: [],
          },
    sheet_template_save: ({ name, previous, draft }: SheetTemplateSave) => {
      if (draft.text === 'overtaken' && draft.revision === 'r1') return Promise.reject(changed);
      const others = list.templates.filter((each) => each.name !== previous);
      return (list = { ...list, templates: [...others, named(name, draft.text)].toSorted(standardFirst) });
    },
    sheet_template_delete: ({ name }: { name: string }) =>
      (list = { ...list, templates: list.templates.filter((each) => each.name !== name) }),
  });
  await screen.findByRole('list', { name: 'Sections of the sheet' }, { timeout: 5000 });
});

const names = () =>
  within(screen.getByRole('list', { name: 'Sections of the sheet' }))
    .getAllByRole('checkbox')
    .map(
      (box) =>
        `${(box as HTMLInputElement).labels?.[0]?.textContent}${(box as HTMLInputElement).checked ? '' : ' (off)'}`,
    );
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const saved = () => call.mock.calls.findLast(([operation]) => operation === 'sheet_template_save')?.[1];

test('sections are moved, switched off and on, and given texts, and are saved as they stand', async () => {
  expect(names()).toEqual(['Insured and policy', 'Amounts', 'Stamp wording', 'Notes (off)']);
  await press('Move Amounts down');
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Move Amounts down'));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Insured and policy' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Notes' }));
  await press('Add a text');
  await userEvent.type(screen.getByLabelText('Text'), 'Payable in 20 days.');
  await userEvent.type(screen.getByLabelText('Heading of Text of your own'), 'Payment');
  expect(names()).toEqual(['Insured and policy (off)', 'Stamp wording', 'Amounts', 'Notes', 'Text of your own']);
  await press('Save template');
  const sections = [TEMPLATE.section[2], TEMPLATE.section[1], section('notes', 'Notes')];
  expect(saved()).toEqual({
    name: 'Standard',
    previous: 'Standard',
    draft: {
      text: '',
      template: { title: 'Quote', section: [...sections, section('text', 'Payment', 'Payable in 20 days.')] },
      revision: 'r1',
    },
  });
});

test('what is at an end stays there and says so', async () => {
  await press('Move Insured and policy up');
  expect(names()[0]).toBe('Insured and policy');
  await press('Move Notes down');
  expect(names().at(-1)).toBe('Notes (off)');
});

test('TOML that cannot be read is said at it, and the list waits', async () => {
  const toml = screen.getByLabelText('The template as TOML');
  await userEvent.type(toml, 'X');
  expect(await screen.findByText('TOML parse error at line 2')).toBeTruthy();
  expect(document.activeElement, 'typing goes on').toBe(toml);
  const isOff = () => screen.getByRole('checkbox', { name: 'Amounts' }).matches(':disabled');
  expect(isOff()).toBe(true);
  await userEvent.clear(screen.getByLabelText('The template as TOML'));
  await userEvent.type(screen.getByLabelText('The template as TOML'), 'other');
  await waitFor(() => expect(isOff()).toBe(false));
  await press('Save template');
  expect(saved()).toMatchObject({ name: 'Standard', draft: { text: 'other', template: null } });
});

test('that the list loses the comments of a template is said before it is saved', async () => {
  await userEvent.type(screen.getByLabelText('The template as TOML'), '{enter}# agreed with the carrier');
  await press('Save template');
  await screen.findByRole('button', { name: 'Use the built-in template' });
  expect(screen.queryByText(/removes the comments/)).toBeNull();
  await press('Move Amounts down');
  expect(screen.getByText(/removes the comments/)).toBeTruthy();
});

test('of a template that someone else changed both versions are said, and one is chosen', async () => {
  await userEvent.clear(screen.getByLabelText('The template as TOML'));
  await userEvent.type(screen.getByLabelText('The template as TOML'), 'overtaken');
  await press('Save template');
  expect(await screen.findByText('Line 1: yours is "overtaken", theirs is "bob".')).toBeTruthy();
  await press('Put mine in');
  await waitFor(() => expect(saved()).toMatchObject({ draft: { text: 'overtaken', revision: 'of bob' } }));
  expect(screen.queryByText(/theirs is/)).toBeNull();
});

test('a template is copied, renamed and deleted; the standard one stays', async () => {
  const shown = () => screen.getByRole('button', { name: /^Template: / }).textContent;
  await press('Delete…');
  expect(screen.queryByRole('dialog')).toBeNull();
  await press('Copy…');
  const name = async (text: string) => {
    const field = await screen.findByLabelText('Name of the template');
    await userEvent.clear(field);
    await userEvent.type(field, `${text}{enter}`);
    await waitFor(() => expect(shown()).toBe(text));
  };
  await name('Renewals');
  expect(saved()).toEqual({
    name: 'Renewals',
    previous: '',
    draft: { text: 'stored', template: null, revision: null },
  });
  await press('Rename…');
  await name('Large accounts');
  expect(saved()).toMatchObject({ name: 'Large accounts', previous: 'Renewals' });
  await press('Delete…');
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(shown()).toBe('Standard'));
});
