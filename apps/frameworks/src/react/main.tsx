import {
  ConnectButton,
  LatchkeyProvider,
  NetworkButton,
  useAccount,
  useDisconnect,
  useSignMessage,
  useSwitchNetwork,
} from '@latchkey/react'
import { StrictMode, type ReactElement } from 'react'
import { createRoot } from 'react-dom/client'
import { createExample } from '../createExample.ts'

const latchkey = createExample()

function Example(): ReactElement {
  const { status, network } = useAccount()
  const { data: signature, mutate: sign } = useSignMessage()
  const { mutate: switchTo } = useSwitchNetwork()
  const { mutate: leave } = useDisconnect()
  return (
    <>
      <ConnectButton />
      <NetworkButton />
      <output>{[status, network?.name].join(' ')}</output>
      <p>{signature}</p>
      <button type="button" onClick={() => sign('Hello')}>
        Sign
      </button>
      <button type="button" onClick={() => switchTo('eip155:31338')}>
        Switch
      </button>
      <button type="button" onClick={() => leave()}>
        Leave
      </button>
    </>
  )
}

createRoot(document.querySelector('main') ?? document.body).render(
  <StrictMode>
    <LatchkeyProvider latchkey={latchkey}>
      <Example />
    </LatchkeyProvider>
  </StrictMode>,
)
