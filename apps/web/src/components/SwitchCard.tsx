import { useNetworks } from '@latchkey/react'
import type { ReactElement } from 'react'
import { useRequest } from './useRequest.ts'

export function SwitchCard(): ReactElement {
  const { networks, active, switchNetwork } = useNetworks()
  const [state, request] = useRequest<void>()
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
              onClick={() => request(() => switchNetwork(caipNetworkId))}
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
      <p role="status">{state.status === 'waiting' && 'Approve in the wallet…'}</p>
      {state.status === 'failed' && <p role="alert">{state.reason}</p>}
    </section>
  )
}
