import { bridgeWagmi, latchkeyConnector } from '@latchkey/wagmi'
import { mainnet, sepolia } from 'viem/chains'
import { createConfig, http } from 'wagmi'
import { latchkey } from './latchkey.ts'

export const config = createConfig({
  chains: [mainnet, sepolia],
  connectors: [latchkeyConnector(latchkey)],
  multiInjectedProviderDiscovery: false,
  transports: { [mainnet.id]: http(), [sepolia.id]: http() },
})

bridgeWagmi(latchkey, config)
