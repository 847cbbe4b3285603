import type { Network } from '@latchkey/protocol'
import { startBitcoin } from './startBitcoin.ts'

/** The Bitcoin of the local world. */
export type LocalBitcoin = { network: Network; rpcUrl: string; close(): Promise<void> }

/**
 * The addresses 0 to 3 of the phrase that all development chains share, at `m/84'/1'/0'/0/i` (BIP-84), and the first for
 * ordinals (BIP-86).
 */
const funded = [
  'bcrt1qquv9lg5g2r4jkr0ahun0ddfg5xntxjelwjpnuw',
  'bcrt1qlqj2pdsteppkcr8jkp9ms0wpvey89tna8v72sj',
  'bcrt1qwqwxn0pae964jk3zu8zxr3lu2jyj0p7mk8hkdv',
  'bcrt1q0rvyhr5465rrdfmavlj67u7ru5vr434c08qx4e',
  'bcrt1pfewlxm8meyyvgjydfu7v8j4ej64symj6ut8sf66h9germp94qgzs92e5zv',
] as const

const satoshisEach = 1_000_000_000n

/** Starts a chain whose development addresses hold ten bitcoins each. */
export async function startLocalBitcoin({ port = 0 }: { port?: number } = {}): Promise<LocalBitcoin> {
  const { url, fund, close } = await startBitcoin({ port })
  for (const address of funded) fund(address, satoshisEach)
  const id = '0f9188f13cb7b2c71f2a335e3a4fc328'
  const network: Network = {
    id,
    name: 'Bitcoin Local',
    caipNetworkId: `bip122:${id}`,
    chainNamespace: 'bip122',
    nativeCurrency: { name: 'Bitcoin', symbol: 'BTC', decimals: 8 },
    rpcUrls: { default: { http: [url] } },
  }
  return { network, rpcUrl: url, close }
}
