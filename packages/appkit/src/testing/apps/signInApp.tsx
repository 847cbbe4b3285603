import { EthersAdapter } from '@reown/appkit-adapter-ethers'
import { DefaultSIWX } from '@reown/appkit-siwx'
import { useAppKitSIWX } from '@reown/appkit-siwx/react'
import { mainnet, sepolia } from '@reown/appkit/networks'
import { createAppKit, useAppKit, useAppKitAccount, useAppKitNetwork, useDisconnect } from '@reown/appkit/react'
import { useState, type ReactElement, type ReactNode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'

// As in an app of Next: module scope of a client component, rendered on the server and hydrated in the page.
createAppKit({
  adapters: [new EthersAdapter()],
  networks: [mainnet, sepolia],
  projectId: 'b56e18d47c72ab683b10814fe9495694',
  metadata: { name: 'Next App', description: 'Next with sign-in', url: 'https://example.com', icons: [] },
  siwx: new DefaultSIWX(),
})

function AppKit({ children }: { children: ReactNode }): ReactElement {
  return <>{children}</>
}

function Account(): ReactElement {
  const { open } = useAppKit()
  const { address, isConnected } = useAppKitAccount()
  const { chainId, caipNetworkId, switchNetwork } = useAppKitNetwork()
  const { disconnect } = useDisconnect()
  const siwx = useAppKitSIWX<DefaultSIWX>()
  const [sessions, setSessions] = useState('')

  async function readSessions(): Promise<void> {
    if (address === undefined || caipNetworkId === undefined) return
    const found = await siwx?.getSessions(caipNetworkId, address)
    setSessions(found?.map(({ data }) => data.accountAddress).join() ?? 'none')
  }

  return (
    <main>
      <appkit-button />
      <p>Connected: {String(isConnected)}</p>
      <p>Address: {address}</p>
      <p>Network: {chainId}</p>
      <p>Sessions: {sessions}</p>
      <button onClick={() => open()}>Open</button>
      <button onClick={() => switchNetwork(sepolia)}>Switch to Sepolia</button>
      <button onClick={readSessions}>Read sessions</button>
      <button onClick={() => disconnect()}>Disconnect</button>
    </main>
  )
}

const app = (
  <AppKit>
    <Account />
  </AppKit>
)
const container = document.createElement('div')
container.id = '__next'
document.body.append(container)
container.innerHTML = renderToString(app)
hydrateRoot(container, app, {
  onRecoverableError: (error) => document.body.setAttribute('data-hydration-error', String(error)),
})
