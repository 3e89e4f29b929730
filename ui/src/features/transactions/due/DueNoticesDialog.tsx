import { DUE_NOTICE_DAYS } from '../../../bindings/operations';
import { Button, Checkbox, Dialog } from '../../../components';
import { useEditableSettings } from '../../../operations';

/** When the desktop shows a notice about a due date. */
export function DueNoticesDialog({ onClose }: { onClose(): void }) {
  const { settings, updateSettings } = useEditableSettings();
  const days = settings.due_notice_days;
  const change = (day: number, isOn: boolean) =>
    updateSettings({ due_notice_days: isOn ? [...days, day] : days.filter((each) => each !== day) });
  return (
    <Dialog title="Notices about due dates" onClose={onClose} foot={<Button onClick={onClose}>Close</Button>}>
      <p>Shown on the desktop while Bordereau is open, even in the background.</p>
      {DUE_NOTICE_DAYS.map((day) => (
        <Checkbox
          key={day}
          label={day === 0 ? 'On the day' : `${day} days ahead`}
          checked={days.includes(day)}
          onChange={(isOn) => change(day, isOn)}
        />
      ))}
    </Dialog>
  );
}
