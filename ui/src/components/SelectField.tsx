import { useId } from 'react';
import { Button, Label, ListBox, ListBoxItem, Popover, Select, SelectValue } from 'react-aria-components';

import { FieldErrorText } from './Field';
import { Icon } from './Icon';

interface Props {
  label: string;
  choices: readonly { code: string; name: string }[];
  value: string;
  onChange(code: string): void;
  pointer?: string;
  error?: string | undefined;
}

/** A short list to choose from, where search would be in the way. */
export function SelectField({ label, choices, value, onChange, pointer, error }: Props) {
  const id = useId();
  const find = (code: unknown) => choices.find((choice) => choice.code === code);
  const chosen = find(value)?.name;
  return (
    <div className={`field ${error ? 'bad' : ''}`} data-pointer={pointer}>
      <Select
        placeholder="Choose…"
        selectedKey={value}
        // Its hidden native list, which a browser may fill in, has an empty line of its own.
        onSelectionChange={(key) => find(key) && onChange(String(key))}
      >
        <Label>{label}</Label>
        {/* Its own name, not made of two elements: of those, Orca reads the first only. */}
        <Button
          id={`${id}-button`}
          className="in choose"
          aria-label={chosen ? `${label}: ${chosen}` : label}
          aria-labelledby={`${id}-button`}
          {...(error ? { 'aria-describedby': `${id}-error` } : {})}
        >
          <SelectValue />
          <Icon name="down" />
        </Button>
        <Popover className="floating popover" offset={4}>
          <ListBox className="listbox" items={choices}>
            {(choice) => (
              <ListBoxItem id={choice.code} textValue={choice.name} className="option">
                {choice.name}
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </Select>
      {error && <FieldErrorText id={`${id}-error`} message={error} />}
    </div>
  );
}
