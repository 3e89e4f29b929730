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
  const chosen = choices.find((choice) => choice.code === value)?.name;
  return (
    <div className={`field ${error ? 'bad' : ''}`} data-pointer={pointer}>
      <Select
        placeholder="Choose…"
        selectedKey={value}
        onSelectionChange={(key) => key !== null && onChange(String(key))}
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
