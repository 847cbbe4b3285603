import { SolanaAdapter, type Provider } from '@reown/appkit-adapter-solana'
import { useAppKitConnection } from '@reown/appkit-adapter-solana/react'
import { solana, solanaDevnet, solanaTestnet } from '@reown/appkit/networks'
import { createAppKit, useAppKitAccount, useAppKitNetwork, useAppKitProvider, useDisconnect } from '@reown/appkit/react'
import { PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
// oxlint-disable-next-line unicorn/prefer-node-protocol -- the package for browsers
import { Buffer } from 'buffer'
import { useState, type ReactElement } from 'react'
import { createRoot } from 'react-dom/client'

// Apps with web3.js add this for browsers.
Object.assign(globalThis, { Buffer })

createAppKit({
  adapters: [new SolanaAdapter()],
  networks: [solana, solanaTestnet, solanaDevnet],
  metadata: { name: 'AppKit Solana', description: 'AppKit Solana Example', url: 'https://example.com', icons: [] },
  projectId: 'b56e18d47c72ab683b10814fe9495694',
  features: { email: false, socials: false },
})

function Account(): ReactElement {
  const { address, isConnected, caipAddress } = useAppKitAccount()
  const { caipNetwork, switchNetwork } = useAppKitNetwork()
  const { walletProvider } = useAppKitProvider<Provider>('solana')
  const { connection } = useAppKitConnection()
  const { disconnect } = useDisconnect()
  const [signature, setSignature] = useState('')
  const [signed, setSigned] = useState('')

  async function signMessage(): Promise<void> {
    const bytes = await walletProvider.signMessage(new TextEncoder().encode('Hello AppKit Solana'))
    setSignature([...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(''))
  }

  async function signTransaction(): Promise<void> {
    const { publicKey } = walletProvider
    const transaction = new Transaction({ feePayer: publicKey, recentBlockhash: PublicKey.default.toBase58() })
    transaction.add(SystemProgram.transfer({ fromPubkey: publicKey, toPubkey: publicKey, lamports: 1000 }))
    const result = await walletProvider.signTransaction(transaction)
    setSigned(result.verifySignatures() ? 'valid' : 'invalid')
  }

  return (
    <main>
      <appkit-button />
      <p>Connected: {String(isConnected)}</p>
      <p>Address: {address}</p>
      <p>Account id: {caipAddress}</p>
      <p>Network: {caipNetwork?.name}</p>
      <p>Endpoint: {connection?.rpcEndpoint}</p>
      <p>Signature: {signature}</p>
      <p>Transaction: {signed}</p>
      <button onClick={() => switchNetwork(solanaDevnet)}>Switch to Devnet</button>
      <button onClick={signMessage}>Sign</button>
      <button onClick={signTransaction}>Sign transaction</button>
      <button onClick={() => disconnect()}>Disconnect</button>
    </main>
  )
}

const container = document.createElement('div')
document.body.append(container)
createRoot(container).render(<Account />)
