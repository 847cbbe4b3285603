import { useNetworks } from '@latchkey/react'
import type { ReactElement } from 'react'
import { useAsk } from './useAsk.ts'

export function SwitchCard(): ReactElement {
  const { networks, active, switchNetwork } = useNetworks()
  const [asked, ask] = useAsk<void>()
  return (
    <section className="card" aria-labelledby="switch-title">
      <h2 id="switch-title">Switch network</h2>
      <ul className="choices">
        {networks.map(({ caipNetworkId, name }) => (
          <li key={caipNetworkId}>
            <button
              type="button"
              className="button"
              aria-pressed={active?.caipNetworkId === caipNetworkId}
              onClick={() => ask(() => switchNetwork(caipNetworkId))}
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
      <p role="status">{asked.status === 'waiting' && 'Approve in the wallet…'}</p>
      {asked.status === 'failed' && <p role="alert">{asked.reason}</p>}
    </section>
  )
}
