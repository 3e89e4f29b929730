import { useState } from 'react';

import type {
  NamedSheetTemplate,
  SheetSection,
  SheetSectionKind,
  SheetTemplateDraft,
  SheetTemplateView,
} from '../../bindings/operations';
import {
  Button,
  Checkbox,
  ConflictButtons,
  Dialog,
  errorsByPointer,
  ErrorBox,
  Field,
  Form,
  QueryError,
  SelectField,
  TextArea,
} from '../../components';
import { PrintedPages } from '../../components/PrintedPages';
import {
  useOperationAction,
  useOperationMutation,
  useOperationQuery,
  useToasts,
  useTypedQuery,
} from '../../operations';
import { useUnsavedForm } from '../../workbench/unsavedForms';

const SECTION_NAMES: Record<SheetSectionKind, string> = {
  policy: 'Insured and policy',
  lines: 'Lines of business',
  amounts: 'Amounts',
  installments: 'Payment plan',
  subject_to: 'Subject to',
  stamp: 'Stamp wording',
  documents: 'Documents',
  notes: 'Notes',
  explanations: 'How each number came',
  text: 'Text of your own',
};

/** A section of the list; what isn't on the sheet stays in its place until the template is saved. */
interface ListedSection extends SheetSection {
  id: number;
  isShown: boolean;
}

interface SectionList {
  title: string;
  sections: ListedSection[];
}

/** What was changed last: the list or the TOML. The core makes each from the other. */
type TemplateChange = { list: SectionList } | { text: string };
/** With the revision that it changes. */
type TemplateEdit = TemplateChange & { revision: string };

/** What is asked of a template's name. */
type NameQuestion = 'copy' | 'rename' | 'delete' | null;

/** The templates of the client's sheet: each is copied, renamed and deleted by its name. */
export function SheetTemplateForm() {
  const list = useOperationQuery('sheet_template_list');
  const [chosen, setChosen] = useUnsavedForm<string>('chosen sheet template');
  if (!list.data) return <QueryError of={list} />;
  const { templates } = list.data;
  const template = templates.find(({ name }) => name === (chosen ?? list.data.chosen)) ?? templates[0];
  // The standard one comes first and is always there.
  return template && <ChosenTemplate {...{ templates, template, isStandard: template === templates[0], setChosen }} />;
}

interface ChosenTemplateProps {
  templates: NamedSheetTemplate[];
  template: NamedSheetTemplate;
  isStandard: boolean;
  setChosen(name: string | null): void;
}

function ChosenTemplate({ templates, template, isStandard, setChosen }: ChosenTemplateProps) {
  const [edit] = useUnsavedForm<TemplateEdit>(editName(template.name));
  const [question, setQuestion] = useState<NameQuestion>(null);
  const unsaved = edit !== null && 'Save or discard the changes first.';
  const fixed = isStandard && 'The standard template stays. Copy it under another name.';
  return (
    <>
      <h2>Sheet for clients</h2>
      <div className="template-names">
        <SelectField
          label="Template"
          choices={templates.map(({ name }) => ({ code: name, name }))}
          value={template.name}
          onChange={setChosen}
        />
        <Button disabledReason={unsaved} onClick={() => setQuestion('copy')}>
          Copy…
        </Button>
        <Button disabledReason={fixed || unsaved} onClick={() => setQuestion('rename')}>
          Rename…
        </Button>
        <Button disabledReason={fixed || unsaved} onClick={() => setQuestion('delete')}>
          Delete…
        </Button>
      </div>
      <SectionsForm key={template.name} template={template} isStandard={isStandard} />
      {(question === 'copy' || question === 'rename') && (
        <TemplateNameDialog
          template={template}
          isCopy={question === 'copy'}
          onNamed={setChosen}
          onClose={() => setQuestion(null)}
        />
      )}
      {question === 'delete' && (
        <DeleteTemplateDialog
          name={template.name}
          onDeleted={() => setChosen(null)}
          onClose={() => setQuestion(null)}
        />
      )}
    </>
  );
}

/** Where the changes of a template are kept until they are saved. */
const editName = (template: string) => `sheet template ${template}`;

const TEMPLATE_READS = ['sheet_template_list', 'quote_sheet_show', 'settings_load'] as const;

interface TemplateNameProps {
  template: NamedSheetTemplate;
  isCopy: boolean;
  onNamed(name: string): void;
  onClose(): void;
}

/** Asks for the name of a copy, or for another name. */
function TemplateNameDialog({ template, isCopy, onNamed, onClose }: TemplateNameProps) {
  const saving = useOperationMutation('sheet_template_save', [...TEMPLATE_READS]);
  const [name, setName] = useState(isCopy ? `${template.name} copy` : template.name);
  const errorAt = errorsByPointer(saving.error);
  const save = () =>
    saving.mutate(
      {
        name,
        previous: isCopy ? '' : template.name,
        draft: { text: template.text, template: null, revision: isCopy ? null : template.revision },
      },
      {
        onSuccess: () => {
          onNamed(name.trim());
          onClose();
        },
      },
    );
  return (
    <Dialog
      title={isCopy ? `Copy ${template.name}` : `Rename ${template.name}`}
      hasInput
      onClose={onClose}
      onSubmit={save}
      action={{ label: isCopy ? 'Copy' : 'Rename', busy: saving.isPending }}
    >
      {saving.error && !errorAt('/name') && <ErrorBox error={saving.error} />}
      <Field
        label="Name of the template"
        placeholder="e.g. Renewals"
        value={name}
        onChange={setName}
        error={errorAt('/name')}
      />
    </Dialog>
  );
}

function DeleteTemplateDialog({ name, onDeleted, onClose }: { name: string; onDeleted(): void; onClose(): void }) {
  const deleting = useOperationAction('sheet_template_delete', [...TEMPLATE_READS]);
  const { showToast } = useToasts();
  const remove = () =>
    deleting.mutate(
      { name },
      {
        onSuccess: () => {
          onDeleted();
          onClose();
          showToast(`Template ${name} deleted.`);
        },
      },
    );
  return (
    <Dialog
      title={`Delete ${name}?`}
      onClose={onClose}
      action={{ label: 'Delete', busy: deleting.isPending, onClick: remove }}
    >
      <p>Quotes that use it ask for another template when their sheet is opened.</p>
    </Dialog>
  );
}

function SectionsForm({ template, isStandard }: { template: NamedSheetTemplate; isStandard: boolean }) {
  const { name, text: stored, built_in: isBuiltIn } = template;
  const saving = useOperationMutation('sheet_template_save', [...TEMPLATE_READS]);
  const [edit, setEdit] = useUnsavedForm<TemplateEdit>(editName(name));
  const revision = edit?.revision ?? template.revision;
  const change = (changed: TemplateChange) => setEdit({ ...changed, revision });
  const [isTomlOpen, setIsTomlOpen] = useState(false);
  const { showToast } = useToasts();
  const draft = draftOf(edit ?? { text: stored });
  const { query: view } = useTypedQuery('sheet_template_show', draft);
  // While the TOML is typed it often cannot be read: list and preview stay as they last were.
  const [seen, setSeen] = useState(view.data);
  if (view.data && view.data !== seen) setSeen(view.data);
  const list = edit && 'list' in edit ? edit.list : seen && listSections(seen);
  const isUnread = edit !== null && 'text' in edit && view.error !== null;
  // The list is written as TOML of its own; what an agency wrote beside its sections isn't in it.
  const losesComments = edit !== null && 'list' in edit && !isBuiltIn && /^\s*#/m.test(stored);
  const save = (of: SheetTemplateDraft, replaced = revision) =>
    saving.mutate(
      { name, previous: name, draft: { ...of, revision: replaced } },
      {
        onSuccess: () => {
          setEdit(null);
          showToast(of.text === '' && !of.template ? 'The built-in template is used again.' : 'Template saved.');
        },
      },
    );
  const keepTheirs = () => {
    setEdit(null);
    saving.reset();
  };
  const errorAt = errorsByPointer(view.error ?? saving.error);
  const otherError = [view.error, saving.error].find((error) => error && !errorsByPointer(error)('/text'));
  return (
    <Form className="stack" onSubmit={() => save(draft)}>
      {otherError && (
        <ErrorBox error={otherError}>
          <ConflictButtons
            error={otherError}
            onMine={(theirs) => saving.variables && save(saving.variables.draft, theirs)}
            onTheirs={keepTheirs}
          />
        </ErrorBox>
      )}
      <div className="sheet-template">
        <div className="stack">
          {isUnread && <p role="status">The list can be changed again once the TOML under Advanced can be read.</p>}
          {list && (
            <fieldset className="stack" disabled={isUnread}>
              <SectionsList list={list} onChange={(changed) => change({ list: changed })} />
            </fieldset>
          )}
          {/* Where the TOML cannot be read is said within. */}
          <details
            open={isTomlOpen || errorAt('/text') !== undefined}
            onToggle={(event) => setIsTomlOpen(event.currentTarget.open)}
          >
            <summary>Advanced</summary>
            <TextArea
              label="The template as TOML"
              rows={14}
              value={edit && 'text' in edit ? edit.text : edit ? (seen?.text ?? '') : stored}
              onChange={(text) => change({ text })}
              error={errorAt('/text')}
            />
          </details>
          {losesComments && (
            <p role="status">
              Saving the list removes the comments (lines with #) from your template. To keep them, discard these
              changes and change the TOML under Advanced.
            </p>
          )}
          <div className="buttons">
            <Button type="submit" busy={saving.isPending} disabledReason={!edit && 'The template isn’t changed.'}>
              Save template
            </Button>
            {edit && <Button onClick={() => setEdit(null)}>Discard template changes</Button>}
            {isStandard && !isBuiltIn && (
              <Button onClick={() => save({ text: '', template: null })}>Use the built-in template</Button>
            )}
          </div>
        </div>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <div className="scrolls sheet-preview" tabIndex={0} role="region" aria-label="Preview">
          <p className="quiet-text">Shows a made-up quote. Empty sections aren’t printed.</p>
          <PrintedPages pages={seen?.pages ?? []} name="Preview of the sheet" />
        </div>
      </div>
    </Form>
  );
}

function draftOf(edit: TemplateChange): SheetTemplateDraft {
  if ('text' in edit) return { text: edit.text, template: null };
  const shown = edit.list.sections.filter((section) => section.isShown);
  const section = shown.map(({ show, title, text }) => ({ show, title, text }));
  return { text: '', template: { title: edit.list.title, section } };
}

function listSections({ template, left_out: leftOut }: SheetTemplateView): SectionList {
  const listed = [...template.section, ...leftOut];
  const sections = listed.map((section, id) => ({ ...section, id, isShown: id < template.section.length }));
  return { title: template.title, sections };
}

function SectionsList({ list, onChange }: { list: SectionList; onChange(list: SectionList): void }) {
  const { sections } = list;
  const setSections = (changed: ListedSection[]) => onChange({ ...list, sections: changed });
  const change = (id: number, part: Partial<SheetSection> & { isShown?: boolean }) =>
    setSections(sections.map((section) => (section.id === id ? { ...section, ...part } : section)));
  const move = (at: number, by: number, button: HTMLElement) => {
    const moved = [...sections];
    moved.splice(at + by, 0, ...moved.splice(at, 1));
    setSections(moved);
    // What moves in the page loses the focus.
    setTimeout(() => button.focus());
  };
  const add = () => {
    const id = Math.max(-1, ...sections.map((section) => section.id)) + 1;
    setSections([...sections, { id, show: 'text', title: '', text: '', isShown: true }]);
  };
  return (
    <>
      <Field label="Title of the sheet" value={list.title} onChange={(title) => onChange({ ...list, title })} />
      <p className="quiet-text">
        In title, headings, and texts, {'{state}'}, {'{insured}'}, {'{carrier}'}, and {'{total}'} stand for what the
        quote says.
      </p>
      <ol className="sheet-sections" aria-label="Sections of the sheet">
        {sections.map((section, at) => {
          const name = SECTION_NAMES[section.show];
          const moveButton = (word: string, by: number, mark: string, end: number) => (
            <Button
              look="quiet"
              small
              aria-label={`Move ${name} ${word}`}
              disabledReason={at === end && 'There’s nothing to move it past.'}
              onClick={(event) => move(at, by, event.currentTarget)}
            >
              {mark}
            </Button>
          );
          return (
            <li key={section.id}>
              <Checkbox
                label={name}
                checked={section.isShown}
                onChange={(isShown) => change(section.id, { isShown })}
              />
              <span className="buttons">
                {section.show === 'text' && (
                  <Button
                    look="quiet"
                    small
                    onClick={() => setSections(sections.filter((other) => other.id !== section.id))}
                  >
                    Remove
                  </Button>
                )}
                {moveButton('up', -1, '↑', 0)}
                {moveButton('down', 1, '↓', sections.length - 1)}
              </span>
              {section.isShown && (
                <div className="stack">
                  <Field
                    label={`Heading of ${name}`}
                    cell
                    placeholder="No heading"
                    value={section.title}
                    onChange={(title) => change(section.id, { title })}
                  />
                  {section.show === 'text' && (
                    <TextArea
                      label="Text"
                      rows={3}
                      value={section.text}
                      onChange={(text) => change(section.id, { text })}
                    />
                  )}
                </div>
              )}
            </li>
          );
        })}
      </ol>
      <div className="buttons">
        <Button onClick={add}>Add a text</Button>
      </div>
    </>
  );
}
