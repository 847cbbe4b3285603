import { privateKeyToAccount, generatePrivateKey } from 'viem/accounts'
import { expect, test } from 'vitest'
import type { FrameNetwork } from '../frameConfig.ts'
import { fakeHolder } from '../testing/fakeHolder.ts'
import type { HolderUser } from '../worker/keyHolder.ts'
import { createMemoryStore } from '../worker/storage/holderStore.ts'
import { createSmart, type SwitchFacts } from './smart.ts'

const origin = 'https://dapp.example.org'
const entryPoint = '0x0000000071727De22E5E9d8BAf0edAc6f37da032'
const factory = '0x48E9238125996f8378bFc49b330a49889CCe8aB9'
const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
const smartAccounts = { entryPoint, factory, sponsored: false } as const
const network: FrameNetwork = { chainId: 'eip155:31337', name: 'Local', nativeCurrency, smartAccounts }
const plain: FrameNetwork = { chainId: 'eip155:31338', name: 'Second', nativeCurrency }
const solana: FrameNetwork = { chainId: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', name: 'Solana', nativeCurrency }

/** A user whose wallet is used by pages. The networks report only that no contract exists. */
function openPageSession(confirms: () => boolean = () => true, store = createMemoryStore()) {
  const owner = privateKeyToAccount(generatePrivateKey()).address
  const accounts = [
    { namespace: 'eip155', address: owner },
    { namespace: 'solana', address: '7pNn8hwvCJN8A8Uc5VrfvfPcd6mAMpnCKFCBjcq2HoJL' },
  ]
  const user: HolderUser = { id: 'ann', accounts }
  const checked: SwitchFacts[] = []
  const smart = createSmart({
    config: { server: 'http://localhost:1', networks: [network, plain, solana] },
    projectId: 'a',
    chain: { request: async () => '0x' },
    holder: fakeHolder({}),
    store,
    user: async () => user,
    async confirmSwitch(facts) {
      checked.push(facts)
      return confirms()
    },
    now: () => 0,
  })
  const at = (from = origin, where = network) => ({ user, origin: from, network: where })
  return { smart, owner, checked, at }
}

test('the smart account is used on networks that offer it, the key’s account elsewhere [R6.1]', async () => {
  const { smart, owner, at } = openPageSession()
  const { address } = await smart.init(at())
  expect(await smart.describeAccounts(at())).toEqual({
    address,
    accounts: [
      { type: 'smartAccount', address },
      { type: 'eoa', address: owner },
    ],
    preferredAccountType: 'smartAccount',
    smartAccountDeployed: false,
  })
  expect(address).not.toBe(owner)
  expect(await smart.describeAccounts(at(origin, plain))).toEqual({ address: owner })
  expect(await smart.describeAccounts(at(origin, solana))).toEqual({
    address: '7pNn8hwvCJN8A8Uc5VrfvfPcd6mAMpnCKFCBjcq2HoJL',
  })
  expect(smart.networks).toEqual([31_337])
})

test('only the user changes the address of a page', async () => {
  let isAgreed = false
  const { smart, owner, checked, at } = openPageSession(() => isAgreed)
  const { address } = await smart.describeAccounts(at())
  // The page's preference is ignored.
  expect(await smart.describeAccounts(at(), 'eoa')).toMatchObject({ address, preferredAccountType: 'smartAccount' })
  await expect(smart.prefer(at(), 'eoa')).rejects.toMatchObject({ code: 4001 })
  expect(await smart.describeAccounts(at())).toMatchObject({ address })
  expect(await smart.accounts(at())).toMatchObject([{ address }, { namespace: 'solana' }])
  isAgreed = true
  expect(await smart.prefer(at(), 'eoa')).toEqual({ type: 'eoa', address: owner })
  expect(await smart.describeAccounts(at())).toMatchObject({ address: owner, preferredAccountType: 'eoa' })
  expect(await smart.accounts(at())).toMatchObject([{ address: owner }, { namespace: 'solana' }])
  const facts = { origin, type: 'eoa', address: owner }
  expect(checked).toEqual([facts, facts])
  // The type is unchanged, so no screen opens.
  await smart.prefer(at(), 'eoa')
  expect(checked).toHaveLength(2)
})

test('a new page gets the user’s last choice, and a known page keeps its address', async () => {
  const { smart, owner, at } = openPageSession()
  const { address } = await smart.describeAccounts(at('https://first.example.org'))
  await smart.prefer(at(), 'eoa')
  expect(await smart.describeAccounts(at('https://new.example.org'), 'smartAccount')).toMatchObject({ address: owner })
  expect(await smart.describeAccounts(at('https://first.example.org'))).toMatchObject({ address })
})

test('a page’s preference counts for its first response, and all its requests get the same type', async () => {
  const { smart, owner, at } = openPageSession()
  const types = await Promise.all([
    smart.describeAccounts(at(), 'eoa'),
    smart.describeAccounts(at()),
    smart.describeAccounts(at(), 'smartAccount'),
  ])
  expect(new Set(types.map(({ address }) => address)).size).toBe(1)
  expect(await smart.describeAccounts(at('https://eoa.example.org'), 'eoa')).toMatchObject({ address: owner })
})

test('a page’s account type survives a restart of the browser', async () => {
  const store = createMemoryStore()
  const first = openPageSession(() => true, store)
  await first.smart.prefer(first.at(), 'eoa')
  const second = openPageSession(() => true, store)
  expect(await second.smart.describeAccounts(second.at())).toMatchObject({ preferredAccountType: 'eoa' })
})

test('a network without smart accounts has none', async () => {
  const { smart, owner, at } = openPageSession()
  await expect(smart.prefer(at(origin, plain), 'smartAccount')).rejects.toMatchObject({ code: 4200 })
  await expect(smart.init(at(origin, plain))).rejects.toMatchObject({ code: 4200 })
  expect(await smart.prefer(at(origin, plain), 'eoa')).toEqual({ type: 'eoa', address: owner })
})
