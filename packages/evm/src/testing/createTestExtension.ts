import { createSimulatedExtension, type SimulatedExtension, type SimulatedExtensionOptions } from '@latchkey/testkit'
import { privateKeyToAddress } from 'viem/accounts'

// The first keys of every development chain. They are funded there only.
export const aliceKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
export const bobKey = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
export const [alice, bob] = [privateKeyToAddress(aliceKey), privateKeyToAddress(bobKey)]

/**
 * Creates an extension with the accounts of Alice and Bob, on two networks of one node.
 *
 * @param url the node
 */
export function createTestExtension(url: string, options: Partial<SimulatedExtensionOptions> = {}): SimulatedExtension {
  return createSimulatedExtension({
    privateKeys: [aliceKey, bobKey],
    rpcUrls: { 31_337: url, 31_338: url },
    chainId: 31_337,
    info: { rdns: 'dev.wallet' },
    ...options,
  })
}
