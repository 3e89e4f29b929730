import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import { Button, ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components';

import { rankMatches } from '../values';
import { matchScore } from '../values/matchScore';
import { FieldErrorText, RequiredMark } from './Field';
import { Icon } from './Icon';

export interface PickerChoice {
  code: string;
  name: string;
  /** Gray text behind the name in the list, such as the class of a line. */
  extra?: string;
  /** What the trade calls it too; not shown. */
  trade_words?: readonly string[];
}

interface Props {
  label: string;
  choices: readonly PickerChoice[];
  value: string;
  onChange(code: string): void;
  placeholder?: string;
  error?: string | undefined;
  cell?: boolean;
  pointer: string;
  /** What is chosen, such as `state`: said of a text that is none. */
  noun?: string;
  /** The codes are only keys: not shown. */
  hideCode?: boolean;
  autoFocus?: boolean;
  required?: boolean;
  /** Where its error is shown, when there is no room below it. */
  errorContainer?: HTMLElement | null;
}

/** Picks by name or code: the best fit is taken by Enter, Tab or leaving the field. */
export function Picker(props: Props) {
  const { label, choices, value, onChange, cell, pointer, hideCode } = props;
  const id = useId();
  const [text, setText] = useState('');
  const [editing, setEditing] = useState(false);
  // Text that is left in the field and is not a choice must not pass for the previous choice.
  const [unmatched, setUnmatched] = useState('');
  // A mark, not state: rendering between the capture and the change of the field would put its old text back.
  const typed = useRef(false);
  const chosen = choices.find((choice) => choice.code === value);
  const listed = useMemo(
    () =>
      editing && text.trim() !== ''
        ? rankMatches(choices, (choice) =>
            matchScore(text, choice.name, hideCode ? '' : choice.code, choice.trade_words),
          )
        : [...choices],
    [choices, editing, text, hideCode],
  );
  const isUnmatched = unmatched !== '' && value === '' && !editing;
  const error = isUnmatched
    ? `${props.noun ? `No ${props.noun}` : 'Nothing'} matches “${unmatched}”. Choose from the list.`
    : props.error;
  const choose = (code: string) => {
    setEditing(false);
    if (code !== value) onChange(code);
  };
  const pickBestMatch = (input: Element | null) => {
    if (!editing || input?.getAttribute('aria-activedescendant')) return;
    const best = text.trim() === '' ? undefined : listed[0];
    if (best) return choose(best.code);
    setEditing(false);
    if (text.trim() === '') return;
    setUnmatched(text.trim());
    if (value !== '') onChange('');
  };
  const onKeyDownCapture = (event: KeyboardEvent) => {
    const enter = event.key === 'Enter' && !event.ctrlKey && !event.metaKey;
    // Enter takes the choice that is being made; only the next one asks the service.
    if (enter && editing) event.preventDefault();
    if (event.key === 'Tab' || enter) pickBestMatch(event.target as Element);
  };
  return (
    // The wrapper only listens before the combo box does; it is not a control.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={`field picker ${cell ? 'cell' : ''} ${error ? 'bad' : ''}`}
      data-pointer={pointer}
      onInputCapture={() => {
        typed.current = true;
      }}
      onKeyDownCapture={onKeyDownCapture}
      onBlurCapture={(event) => {
        // The list moves its mark by focus events of its own making; only the browser's are a person's.
        if (event.nativeEvent.isTrusted) pickBestMatch(event.target);
      }}
    >
      <ComboBox
        items={listed}
        selectedKey={chosen ? value : null}
        // It knows its choices only once it is shown, and a field with the focus keeps the text that it has then.
        defaultInputValue={chosen?.name ?? ''}
        onSelectionChange={(key) => {
          if (key !== null) choose(String(key));
          else if (editing && text === '') onChange('');
        }}
        onInputChange={(next) => {
          if (typed.current) setEditing(true);
          typed.current = false;
          setText(next);
        }}
        allowsEmptyCollection
        isInvalid={error !== undefined}
        {...(cell ? { 'aria-label': label } : {})}
      >
        {!cell && (
          <Label>
            {label}
            {props.required && <RequiredMark />}
          </Label>
        )}
        <div className="in">
          <Input
            placeholder={props.placeholder ?? ''}
            spellCheck={false}
            onFocus={(event) => {
              if (event.nativeEvent.isTrusted) event.target.select();
            }}
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus={props.autoFocus ?? false}
            {...(props.required ? { 'aria-required': true } : {})}
            {...(error ? { 'aria-describedby': `${id}-error` } : {})}
          />
          {chosen && !hideCode && !editing && <span className="suffix">{chosen.code}</span>}
          <Button className="open" aria-label={cell ? `Show choices for ${label}` : 'Show choices'}>
            <Icon name="down" />
          </Button>
        </div>
        <Popover className="floating popover" offset={4}>
          <ListBox
            className="listbox"
            renderEmptyState={() => (
              <div className="none">
                {props.noun ? `No ${props.noun} matches` : 'No matches for'} “{text}”. Try its code or part of its name.
              </div>
            )}
          >
            {(choice: PickerChoice) => (
              <ListBoxItem id={choice.code} textValue={choice.name} className="option">
                <span>
                  {choice.name} {choice.extra && <span className="extra">{choice.extra}</span>}
                </span>
                {!hideCode && <span className="suffix">{choice.code}</span>}
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </ComboBox>
      {error && <FieldErrorText id={`${id}-error`} message={error} container={props.errorContainer} />}
    </div>
  );
}
