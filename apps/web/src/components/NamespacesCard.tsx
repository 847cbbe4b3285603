import { setActiveNamespace, shortenAddress, type Adapter } from '@latchkey/core'
import { useAccount, useConnections, useLatchkey, useModal } from '@latchkey/react'
import type { ReactElement } from 'react'

/** Lists the app's namespaces with their accounts, and marks the active one. */
export function NamespacesCard(): ReactElement {
  const { adapters } = useLatchkey()
  return (
    <section className="card" aria-labelledby="families-title">
      <h2 id="families-title">Chains</h2>
      <ul className="families">
        {adapters.map((adapter) => (
          <NamespaceRow key={adapter.namespace} adapter={adapter} />
        ))}
      </ul>
    </section>
  )
}

function NamespaceRow({ adapter: { namespace, name } }: { adapter: Adapter }): ReactElement {
  const latchkey = useLatchkey()
  const { open } = useModal()
  const account = useAccount(namespace)
  const [, ...others] = useConnections(namespace)
  const { network } = useAccount()
  const isActive = network?.chainNamespace === namespace
  return (
    <li>
      <span>
        <strong>{name}</strong>
        <span className="hint">
          {account.status === 'connected'
            ? `${account.wallet.name} · ${shortenAddress(account.address)}${others.length > 0 ? ` and ${others.length} more` : ''}`
            : account.status}
        </span>
      </span>
      {account.status === 'disconnected' ? (
        <button type="button" className="button" aria-label={`Connect ${name}`} onClick={() => open({ namespace })}>
          Connect
        </button>
      ) : (
        <button
          type="button"
          className="button"
          aria-pressed={isActive}
          aria-label={`Use ${name}`}
          onClick={() => setActiveNamespace(latchkey, namespace)}
        >
          {isActive ? 'Current' : 'Use'}
        </button>
      )}
    </li>
  )
}

/** Shows the raw return value of the hook for each namespace. */
export function RawAccounts(): ReactElement {
  const { adapters } = useLatchkey()
  return (
    <section className="card">
      <h2>What the hooks return</h2>
      <Raw call="useAccount()" />
      {adapters.length > 1 &&
        adapters.map(({ namespace }) => (
          <Raw key={namespace} call={`useAccount('${namespace}')`} namespace={namespace} />
        ))}
    </section>
  )
}

function Raw({ call, namespace }: { call: string; namespace?: Adapter['namespace'] }): ReactElement {
  const account = useAccount(namespace)
  return (
    <details className="section" open={namespace === undefined}>
      <summary>
        <code>{call}</code>
      </summary>
      <pre className="raw" tabIndex={0} aria-label={`What ${call} returns`}>
        {JSON.stringify(account, null, 2)}
      </pre>
    </details>
  )
}
