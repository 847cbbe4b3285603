import { EthersAdapter } from '@reown/appkit-adapter-ethers'
import { mainnet, sepolia, type AppKitNetwork } from '@reown/appkit/networks'
import {
  createAppKit,
  useAppKit,
  useAppKitAccount,
  useAppKitEvents,
  useAppKitNetwork,
  useAppKitProvider,
  useAppKitState,
  useAppKitTheme,
  useDisconnect,
  useWalletInfo,
} from '@reown/appkit/react'
import { BrowserProvider, type Eip1193Provider } from 'ethers'
import { useState, type ReactElement } from 'react'
import { createRoot } from 'react-dom/client'

const projectId = 'b56e18d47c72ab683b10814fe9495694'
const networks: [AppKitNetwork, ...AppKitNetwork[]] = [mainnet, sepolia]
const metadata = {
  name: 'My Website',
  description: 'My Website description',
  url: 'https://mywebsite.com',
  icons: ['https://avatars.mywebsite.com/'],
}

createAppKit({
  adapters: [new EthersAdapter()],
  metadata,
  networks,
  projectId,
  defaultNetwork: sepolia,
  allWallets: 'HIDE',
  features: { analytics: true },
})

function Account(): ReactElement {
  const { open } = useAppKit()
  const { address, status } = useAppKitAccount({ namespace: 'eip155' })
  const { caipNetworkId, switchNetwork } = useAppKitNetwork()
  const { walletProvider } = useAppKitProvider<Eip1193Provider>('eip155')
  const { open: isOpen, selectedNetworkId } = useAppKitState()
  const { themeMode, setThemeMode } = useAppKitTheme()
  const { walletInfo } = useWalletInfo()
  const { disconnect } = useDisconnect()
  const events = useAppKitEvents()
  const [signature, setSignature] = useState('')

  async function sign(): Promise<void> {
    const provider = new BrowserProvider(walletProvider)
    const signer = await provider.getSigner()
    setSignature(await signer.signMessage('Hello AppKit Ethers'))
  }

  return (
    <main>
      <appkit-connect-button label="Connect me" size="sm" />
      <appkit-account-button balance="hide" />
      <p>Status: {status}</p>
      <p>Address: {address}</p>
      <p>Network: {caipNetworkId}</p>
      <p>
        State: {isOpen ? 'open' : 'closed'} {selectedNetworkId}
      </p>
      <p>Theme: {themeMode}</p>
      <p>Wallet: {walletInfo?.name}</p>
      <p>Event: {events.data.event}</p>
      <p>Signature: {signature}</p>
      <button onClick={() => open({ view: 'Connect', namespace: 'eip155' })}>Open</button>
      <button onClick={() => switchNetwork(mainnet)}>Switch to Ethereum</button>
      <button onClick={() => setThemeMode('dark')}>Dark</button>
      <button onClick={sign}>Sign</button>
      <button onClick={() => disconnect({ namespace: 'eip155' })}>Disconnect</button>
    </main>
  )
}

const container = document.createElement('div')
document.body.append(container)
createRoot(container).render(<Account />)
