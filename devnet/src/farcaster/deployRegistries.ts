import {
  createTestClient,
  encodeAbiParameters,
  http,
  parseAbi,
  publicActions,
  walletActions,
  type Hex,
  type TestClient,
} from 'viem'
import { addresses } from '../accounts.ts'
import { readArtifact } from '../evm/deploy.ts'
import { waitUntilMined } from '../evm/waitUntilMined.ts'
import type { FarcasterPerson } from './farcasterPeople.ts'

/** The addresses of Farcaster's registries, the same as on OP Mainnet. */
const idRegistry: Hex = '0x00000000Fc6c5F01Fc30151999387Bb99A9f489b'
const keyRegistry: Hex = '0x00000000fc1237824fb747abde0ff18990e59b7e'

const abi = parseAbi([
  'function idOf(address owner) view returns (uint256)',
  'function register(uint256 fid, address owner)',
  'function setKey(uint256 fid, uint32 keyType, bytes key, uint8 state)',
])
const authKey = 2
const added = 1
/** An account without a role, so that its nonce does not matter to others. */
const writer = addresses[2]

/**
 * Deploys the registries at their public addresses and registers the people. Idempotent.
 *
 * @throws Error if the chain is not a development chain, or rejects a step
 */
export async function deployRegistries(rpcUrl: string, people: readonly FarcasterPerson[]): Promise<void> {
  const node = createTestClient({ mode: 'anvil', account: writer, transport: http(rpcUrl), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
  const { bytecode } = await readArtifact('LocalFarcaster')
  // The constructor returns the code, so a call is enough to get it.
  const { data: code } = await node.call({ data: bytecode })
  if (code === undefined) throw new Error('The registries of Farcaster could not be made.')
  for (const address of [idRegistry, keyRegistry]) await setCode(node, address, code)
  for (const { fid, custody, auth } of people) {
    const known = await node.readContract({ abi, address: idRegistry, functionName: 'idOf', args: [custody.address] })
    if (known === fid) continue
    const key = encodeAbiParameters([{ type: 'address' }], [auth.address])
    const hashes = [
      await node.writeContract({
        chain: null,
        abi,
        address: idRegistry,
        functionName: 'register',
        args: [fid, custody.address],
      }),
      await node.writeContract({
        chain: null,
        abi,
        address: keyRegistry,
        functionName: 'setKey',
        args: [fid, authKey, key, added],
      }),
    ]
    for (const hash of hashes) {
      const { status } = await waitUntilMined(node, hash)
      if (status !== 'success') throw new Error('The accounts of Farcaster could not be registered.')
    }
  }
}

async function setCode(node: TestClient, address: Hex, bytecode: Hex): Promise<void> {
  await node.setCode({ address, bytecode })
}
