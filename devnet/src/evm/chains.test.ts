import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPublicClient, erc20Abi, http, parseAbi, type Hex } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { addresses, roles } from '../accounts.ts'
import { startChains, type LocalChain, type LocalChains } from './chains.ts'

const collectionAbi = parseAbi([
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function tokenURI(uint256 tokenId) view returns (string)',
  'function totalSupply() view returns (uint256)',
])

let stateDir: string
let local: LocalChains

beforeAll(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'latchkey-chains-'))
  local = await startChains({ stateDir })
  return async () => {
    await local.close()
    await rm(stateDir, { recursive: true })
  }
})

function clientOf({ rpcUrl }: LocalChain): ReturnType<typeof createPublicClient> {
  return createPublicClient({ transport: http(rpcUrl) })
}

function tokenOf({ tokens }: LocalChain, symbol: string): Hex {
  const token = tokens.find((candidate) => candidate.symbol === symbol)
  if (token === undefined) throw new Error(`There is no ${symbol}.`)
  return token.address
}

function collectionOf({ collections: [collection] }: LocalChain): Hex {
  if (collection === undefined) throw new Error('There is no collection.')
  return collection.address
}

test('two networks run with their own ids', async () => {
  expect(local.chains.map(({ network: { caipNetworkId, name } }) => [caipNetworkId, name])).toEqual([
    ['eip155:31337', 'Latchkey Local'],
    ['eip155:31338', 'Latchkey Second'],
  ])
  expect(await Promise.all(local.chains.map((chain) => clientOf(chain).getChainId()))).toEqual([31337, 31338])
})

test('the contracts have the same addresses on both networks', () => {
  const [{ tokens, collections }, second] = local.chains
  expect(second.tokens).toEqual(tokens)
  expect(second.collections).toEqual(collections)
})

test('every account except the bundler’s has ether, tokens and a key', async () => {
  const [chain] = local.chains
  const client = clientOf(chain)
  const balance = (symbol: string, holder: Hex): Promise<bigint> =>
    client.readContract({
      address: tokenOf(chain, symbol),
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [holder],
    })
  const user = addresses[0]
  expect(await client.getBalance({ address: user })).toBe(10_000n * 10n ** 18n)
  expect(await balance('LUSD', user)).toBe(10_000n * 10n ** 6n)
  expect(await balance('KEY', user)).toBe(250n * 10n ** 18n)
  const holders = addresses.slice(0, roles.bundler)
  const owners = holders.map((_, index) =>
    client.readContract({
      address: collectionOf(chain),
      abi: collectionAbi,
      functionName: 'ownerOf',
      args: [BigInt(index + 1)],
    }),
  )
  expect(await Promise.all(owners)).toEqual(holders)
})

test('the described tokens match their contracts', async () => {
  const [chain] = local.chains
  const client = clientOf(chain)
  const tokens = chain.tokens.map(async ({ address }) => ({
    address,
    name: await client.readContract({ address, abi: erc20Abi, functionName: 'name' }),
    symbol: await client.readContract({ address, abi: erc20Abi, functionName: 'symbol' }),
    decimals: await client.readContract({ address, abi: erc20Abi, functionName: 'decimals' }),
  }))
  expect(await Promise.all(tokens)).toEqual(chain.tokens)
})

test('every key NFT has its own on-chain image', async () => {
  const [chain] = local.chains
  const draw = async (tokenId: bigint): Promise<{ name: string; svg: string }> => {
    const args = [tokenId] as const
    const address = collectionOf(chain)
    const uri = await clientOf(chain).readContract({ address, abi: collectionAbi, functionName: 'tokenURI', args })
    // The contract's JSON, whose structure this test checks.
    const metadata = JSON.parse(decode(uri, 'data:application/json;base64,')) as { name: string; image: string }
    return { name: metadata.name, svg: decode(metadata.image, 'data:image/svg+xml;base64,') }
  }
  const [first, second] = [await draw(1n), await draw(2n)]
  expect(first.name).toBe('Latchkey Key #1')
  expect(first.svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 320 320">.*<\/svg>$/)
  expect(second.svg).not.toBe(first.svg)
})

function decode(uri: string, prefix: string): string {
  expect(uri.startsWith(prefix)).toBe(true)
  return Buffer.from(uri.slice(prefix.length), 'base64').toString()
}

test('a second start deploys nothing', async () => {
  const [before] = local.chains
  const blocks = await clientOf(before).getBlockNumber()
  await local.close()
  local = await startChains({ stateDir })
  const [after] = local.chains
  expect(after.tokens).toEqual(before.tokens)
  expect(await clientOf(after).getBlockNumber()).toBe(blocks)
})

test('if one chain fails to start, the other one is stopped', async () => {
  const taken = Number(new URL(local.chains[0].rpcUrl).port)
  const pids: number[] = []
  const starting = startChains({ ports: { evm: 0, evm2: taken }, onProcess: (pid) => pids.push(pid) })
  await expect(starting).rejects.toThrow('The EVM chain 31338 ended at once')
  expect(pids).toHaveLength(2)
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})
