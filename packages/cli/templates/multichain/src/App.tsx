import { ConnectButton, NetworkButton, useConnections, useModal, useSignMessage } from '@latchkey/react'

const namespaces = { eip155: 'Ethereum', solana: 'Solana', bip122: 'Bitcoin', polkadot: 'Polkadot' }

export function App() {
  const connections = useConnections()
  const { open } = useModal()
  const { mutate, data: signature, error, status } = useSignMessage()
  return (
    <main>
      <h1>%NAME%</h1>
      <ConnectButton />
      {connections.length > 0 && (
        <>
          <button type="button" onClick={() => open({ entry: { view: 'Connect', params: {} } })}>
            Connect another wallet
          </button>
          <ul>
            {connections.map(({ namespace, connectorId, account, wallet }) => (
              <li key={`${namespace} ${connectorId}`}>
                {namespaces[namespace]}: {account.split(':')[2]} ({wallet.name})
              </li>
            ))}
          </ul>
          <NetworkButton />
          {/* The message is signed with the account that the button above shows. */}
          <button type="button" disabled={status === 'pending'} onClick={() => mutate('Hello')}>
            Sign a message
          </button>
          <output>{signature}</output>
          {error instanceof Error && <p role="alert">{error.message}</p>}
        </>
      )}
    </main>
  )
}
