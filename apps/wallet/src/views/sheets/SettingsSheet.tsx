import { Choice, Switch } from '../parts/Choice.tsx'
import { Sheet } from '../parts/Sheet.tsx'
import { setSettings } from '../../wallet/start.ts'
import { useWallet, useWalletState } from '../useStore.ts'

/** How the wallet behaves, for trying an app against every kind of wallet, and how it looks. */
export function SettingsSheet({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const wallet = useWallet()
  const { settings } = useWalletState()
  return (
    <Sheet
      isOpen={isOpen}
      title="Settings"
      contentKey="settings"
      onClose={onClose}
      footer={
        <button type="button" className="primary" onClick={onClose}>
          Done
        </button>
      }
    >
      <Choice
        legend="Answers"
        value={settings.answers}
        options={[
          { value: 'ask', label: 'Ask me' },
          { value: 'approve', label: 'Approve all' },
          { value: 'reject', label: 'Reject all' },
        ]}
        onChoose={(answers) => setSettings(wallet, { answers })}
      />
      <div className="card">
        <Switch
          label="Slow answers"
          hint="Three seconds later than needed"
          isOn={settings.isSlow}
          onChange={(isSlow) => setSettings(wallet, { isSlow })}
        />
        <Switch
          label="Offline"
          hint="Closes the connection to the relay"
          isOn={settings.isOffline}
          onChange={(isOffline) => setSettings(wallet, { isOffline })}
        />
      </div>
      <Choice
        legend="Appearance"
        value={settings.theme}
        options={[
          { value: 'system', label: 'System' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
        onChoose={(theme) => setSettings(wallet, { theme })}
      />
    </Sheet>
  )
}
