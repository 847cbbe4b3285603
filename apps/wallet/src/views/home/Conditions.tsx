import type { Settings } from '../../wallet/memory.ts'

/** Says when the wallet does not behave as a wallet should, because its owner wants to try that. */
export function Conditions({ settings, onChange }: { settings: Settings; onChange(): void }) {
  const said = [
    settings.answers === 'approve' && 'approves everything by itself',
    settings.answers === 'reject' && 'rejects everything by itself',
    settings.isSlow && 'answers three seconds late',
    settings.isOffline && 'is offline',
  ].filter((text) => text !== false)
  if (said.length === 0) return null
  return (
    <div className="conditions">
      <p>This wallet {listed(said)}.</p>
      <button type="button" className="quiet-button" onClick={onChange}>
        Change
      </button>
    </div>
  )
}

function listed(items: readonly string[]): string {
  return new Intl.ListFormat('en').format(items)
}
