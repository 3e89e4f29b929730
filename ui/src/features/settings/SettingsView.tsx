import './settings.css';

import { ViewHead } from '../../components/ViewHeader';
import { type SettingsPlace, useNavigation } from '../../workbench/navigation';
import { About } from './AboutPanel';
import { Appearance } from './AppearancePanel';
import { Keychain } from './KeychainPanel';
import { Profiles } from './ProfilesPanel';

const PLACES: { place: SettingsPlace; title: string; hint: string }[] = [
  { place: 'profiles', title: 'Profiles', hint: 'Where the service is, who signs in' },
  { place: 'keychain', title: 'Keychain', hint: 'Where keys and sign-ins are kept' },
  { place: 'appearance', title: 'Appearance', hint: 'Theme, size, agency name' },
  { place: 'about', title: 'About', hint: 'Version and rules' },
];

const PANELS = { profiles: Profiles, keychain: Keychain, appearance: Appearance, about: About };

export function SettingsView() {
  const { place, go } = useNavigation();
  const Panel = PANELS[place];
  return (
    <div className="view settings">
      <ViewHead title="Settings" />
      <div className="settings-body">
        <nav aria-label="Settings" className="places">
          {PLACES.map((each) => (
            <button
              key={each.place}
              type="button"
              aria-current={each.place === place ? 'page' : undefined}
              onClick={() => go('settings', each.place)}
            >
              <strong>{each.title}</strong>
              <span className="quiet-text">{each.hint}</span>
            </button>
          ))}
        </nav>
        <div className="panel">
          <Panel />
        </div>
      </div>
    </div>
  );
}
