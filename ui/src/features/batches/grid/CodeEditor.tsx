import { type CSSProperties, type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { Button, ComboBox, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components';

import type { NamedCode } from '../../../bindings/operations';
import { Icon } from '../../../components';
import { rankMatches } from '../../../values';
import { matchScore } from '../../../values/matchScore';
import type { EditorExit } from './CellEditor';
import { findTypedCode, replaceLastEntry, splitLastEntry } from './codeEntry';

interface Props {
  label: string;
  text: string;
  /** Begun by typing. */
  typed: boolean;
  /** The list is open from the first. */
  isOpen: boolean;
  choices: readonly NamedCode[];
  /** The cell takes several codes, separated by a vertical bar: the last of them is chosen. */
  isList: boolean;
  style: CSSProperties;
  onDone(text: string, leave: EditorExit): void;
  onCancel(): void;
}

/** The field over a cell that takes codes, with the list of them. What is in no list stays as it was typed. */
export function CodeEditor({ label, text, typed, isOpen, choices, isList, style, onDone, onCancel }: Props) {
  const ended = useRef(false);
  const [value, setValue] = useState(text);
  const entry = isList ? splitLastEntry(value) : value.trim();
  const isChanged = typed || value !== text;
  const listed = useMemo(
    () =>
      isChanged && entry !== ''
        ? rankMatches(choices, (choice) => matchScore(entry, choice.name, choice.code))
        : choices,
    [choices, entry, isChanged],
  );
  const [selected] = useState(() => (typed ? null : (findTypedCode(entry, choices) ?? null)));
  const end = (next: string, leave: EditorExit) => {
    if (ended.current) return;
    ended.current = true;
    onDone(next, leave);
  };
  const withCode = (code: string) => (isList ? replaceLastEntry(value, code) : code);
  const endTyped = (leave: EditorExit) => {
    const code = findTypedCode(entry, choices);
    end(code === undefined ? value : withCode(code), leave);
  };
  const onKeyDownCapture = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const back = event.shiftKey;
    if (event.key === 'Escape') {
      ended.current = true;
      onCancel();
    } else if (event.key === 'Enter' || event.key === 'Tab') {
      const leave = event.key === 'Enter' ? (back ? 'up' : 'down') : back ? 'back' : 'next';
      const option = document.getElementById((event.target as HTMLElement).getAttribute('aria-activedescendant') ?? '')
        ?.dataset['key'];
      if (option === undefined) endTyped(leave);
      else end(withCode(option), leave);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // It only listens before the combo box does; it is no control of its own.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className="cell-editor with-list"
      style={style}
      onKeyDownCapture={onKeyDownCapture}
      onBlurCapture={(event) => {
        // The list moves its mark by focus events of its own making; only the browser's are a person's.
        const to = event.relatedTarget;
        const isInside = to instanceof Element && to.closest('.cell-list, .with-list') !== null;
        if (event.nativeEvent.isTrusted && !isInside) endTyped('stay');
      }}
    >
      <ComboBox
        aria-label={label}
        items={listed}
        inputValue={value}
        onInputChange={setValue}
        defaultSelectedKey={selected}
        onSelectionChange={(key) => {
          if (key !== null) end(withCode(String(key)), 'here');
        }}
        menuTrigger={isOpen || typed ? 'focus' : 'input'}
        allowsCustomValue
        allowsEmptyCollection
      >
        <Input
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          spellCheck={false}
          onFocus={(event) => {
            const { value: now } = event.target;
            if (event.nativeEvent.isTrusted) event.target.setSelectionRange(typed ? now.length : 0, now.length);
          }}
        />
        <Button className="cell-arrow" aria-label={`Show choices for ${label}`}>
          <Icon name="down" />
        </Button>
        <Popover className="floating popover cell-list" offset={2} placement="bottom start">
          <ListBox
            className="listbox"
            renderEmptyState={() => (
              <div className="none">No matches for “{entry}”. Try its code or part of its name.</div>
            )}
          >
            {(choice: NamedCode) => (
              <ListBoxItem id={choice.code} textValue={`${choice.code}, ${choice.name}`} className="option">
                <span>{choice.name}</span>
                <span className="suffix">{choice.code}</span>
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </ComboBox>
    </div>
  );
}
