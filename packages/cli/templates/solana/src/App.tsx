import { ConnectButton, NetworkButton, useAccount, useSignMessage } from '@latchkey/react'

export function App() {
  const account = useAccount()
  const { mutate, data: signature, error, status } = useSignMessage()
  return (
    <main>
      <h1>%NAME%</h1>
      <ConnectButton showBalance />
      {account.status === 'connected' && (
        <>
          <NetworkButton />
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
