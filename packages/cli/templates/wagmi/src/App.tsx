import { ConnectButton } from '@latchkey/react'
import { useConnection, useSignMessage } from 'wagmi'

export function App() {
  const { address } = useConnection()
  const { mutate, data: signature, error, status } = useSignMessage()
  return (
    <main>
      <h1>%NAME%</h1>
      <ConnectButton />
      {address !== undefined && (
        <>
          <button type="button" disabled={status === 'pending'} onClick={() => mutate({ message: 'Hello' })}>
            Sign a message
          </button>
          <output>{signature}</output>
          {error && <p role="alert">{error.message}</p>}
        </>
      )}
    </main>
  )
}
