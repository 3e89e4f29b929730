import { Button, SelectField } from '../../components';
import { useEditableSettings } from '../../operations';
import { nextZoom } from '../../operations/useEditableSettings';
import { VIEW_NAMES, VIEWS } from '../../views';
import { THEMES } from '../../workbench/themes';

const FIRST_VIEWS = VIEW_NAMES.filter((name) => !VIEWS[name].parent && !VIEWS[name].isPracticeOnly).map((code) => ({
  code,
  name: VIEWS[code].title,
}));

export function AppearancePanel() {
  const { settings, updateSettings } = useEditableSettings();
  return (
    <section className="card card-body" aria-label="Appearance">
      <fieldset className="buttons choices">
        <legend>Theme</legend>
        {THEMES.map(({ theme, title }) => (
          <label key={theme} className="in-line">
            <input
              type="radio"
              name="theme"
              checked={settings.theme === theme}
              onChange={() => updateSettings({ theme })}
            />
            {title}
          </label>
        ))}
      </fieldset>
      <div className="buttons" role="group" aria-label="Size">
        <span className="zoom-label">Size</span>
        <Button
          small
          keys="Mod+-"
          disabledReason={settings.zoom <= 80 && 'This is the smallest size.'}
          onClick={() => updateSettings({ zoom: nextZoom(settings.zoom, -1) })}
        >
          Smaller
        </Button>
        <output aria-live="polite">{settings.zoom}%</output>
        <Button
          small
          keys="Mod+="
          disabledReason={settings.zoom >= 200 && 'This is the largest size.'}
          onClick={() => updateSettings({ zoom: nextZoom(settings.zoom, 1) })}
        >
          Larger
        </Button>
        <Button small keys="Mod+0" onClick={() => updateSettings({ zoom: 100 })}>
          Default size
        </Button>
      </div>
      <div className="narrow">
        <SelectField
          label="First view"
          choices={FIRST_VIEWS}
          value={settings.first_view || 'today'}
          onChange={(view) => updateSettings({ first_view: view })}
        />
      </div>
    </section>
  );
}
