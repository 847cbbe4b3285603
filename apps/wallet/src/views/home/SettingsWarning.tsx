import type { Settings } from '../../wallet/walletMemory.ts'

/** Warns if the settings make the wallet behave unlike a normal wallet. */
export function SettingsWarning({ settings, onChange }: { settings: Settings; onChange(): void }) {
  const deviations = [
    settings.responseMode === 'approve' && 'approves everything automatically',
    settings.responseMode === 'reject' && 'rejects everything automatically',
    settings.isSlow && 'responds three seconds late',
    settings.isOffline && 'is offline',
  ].filter((text) => text !== false)
  if (deviations.length === 0) return null
  return (
    <div className="conditions">
      <p>This wallet {formatList(deviations)}.</p>
      <button type="button" className="quiet-button" onClick={onChange}>
        Change
      </button>
    </div>
  )
}

function formatList(items: readonly string[]): string {
  return new Intl.ListFormat('en').format(items)
}
