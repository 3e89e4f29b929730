import { Button, Label, ListBox, ListBoxItem, Popover, Select, SelectValue } from 'react-aria-components';

import { Icon } from './Icon';

interface Props {
  label: string;
  choices: readonly { code: string; name: string }[];
  value: string;
  onChange(code: string): void;
  pointer?: string;
}

/** A short list to choose from, where search would be in the way. */
export function Choose({ label, choices, value, onChange, pointer }: Props) {
  return (
    <div className="field" data-pointer={pointer}>
      <Select selectedKey={value} onSelectionChange={(key) => key !== null && onChange(String(key))}>
        <Label>{label}</Label>
        <Button className="in choose">
          <SelectValue />
          <Icon name="down" />
        </Button>
        <Popover className="popover" offset={4}>
          <ListBox className="listbox" items={choices}>
            {(choice) => (
              <ListBoxItem id={choice.code} textValue={choice.name} className="option">
                {choice.name}
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </Select>
    </div>
  );
}
