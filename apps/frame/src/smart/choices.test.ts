import { privateKeyToAccount, generatePrivateKey } from 'viem/accounts'
import { expect, test } from 'vitest'
import type { FrameNetwork } from '../config.ts'
import type { HolderUser } from '../worker/keyHolder.ts'
import { memoryStore } from '../worker/store.ts'
import { createSmart, type SwitchFacts } from './smart.ts'

const origin = 'https://dapp.example.org'
const entryPoint = '0x0000000071727De22E5E9d8BAf0edAc6f37da032'
const factory = '0x48E9238125996f8378bFc49b330a49889CCe8aB9'
const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
const smartAccounts = { entryPoint, factory, sponsored: false } as const
const network: FrameNetwork = { chainId: 'eip155:31337', name: 'Local', nativeCurrency, smartAccounts }
const plain: FrameNetwork = { chainId: 'eip155:31338', name: 'Second', nativeCurrency }
const solana: FrameNetwork = { chainId: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', name: 'Solana', nativeCurrency }

/** A visitor whose wallet is asked by pages; the networks answer nothing but that no contract is there yet. */
function openVisitor(answers: () => boolean = () => true, store = memoryStore()) {
  const owner = privateKeyToAccount(generatePrivateKey()).address
  const accounts = [
    { namespace: 'eip155', address: owner },
    { namespace: 'solana', address: '7pNn8hwvCJN8A8Uc5VrfvfPcd6mAMpnCKFCBjcq2HoJL' },
  ]
  const user: HolderUser = { id: 'ann', accounts }
  const asked: SwitchFacts[] = []
  const smart = createSmart({
    config: { server: 'http://localhost:1', networks: [network, plain, solana] },
    projectId: 'a',
    chain: { ask: async () => '0x' },
    holder: { sign: () => Promise.reject(new Error('Nothing is signed here.')) },
    store,
    user: async () => user,
    async askSwitch(facts) {
      asked.push(facts)
      return answers()
    },
    now: () => 0,
  })
  const at = (from = origin, where = network) => ({ user, origin: from, network: where })
  return { smart, owner, asked, at }
}

test('acts with the smart account where the network has it, and with the key elsewhere [R6.1]', async () => {
  const { smart, owner, at } = openVisitor()
  const { address } = await smart.init(at())
  expect(await smart.tell(at())).toEqual({
    address,
    accounts: [
      { type: 'smartAccount', address },
      { type: 'eoa', address: owner },
    ],
    preferredAccountType: 'smartAccount',
    smartAccountDeployed: false,
  })
  expect(address).not.toBe(owner)
  expect(await smart.tell(at(origin, plain))).toEqual({ address: owner })
  expect(await smart.tell(at(origin, solana))).toEqual({ address: '7pNn8hwvCJN8A8Uc5VrfvfPcd6mAMpnCKFCBjcq2HoJL' })
  expect(smart.networks).toEqual([31_337])
})

test('an address that a page was told changes by the visitor alone', async () => {
  let isAgreed = false
  const { smart, owner, asked, at } = openVisitor(() => isAgreed)
  const { address } = await smart.tell(at())
  // Whatever the page says it prefers.
  expect(await smart.tell(at(), 'eoa')).toMatchObject({ address, preferredAccountType: 'smartAccount' })
  await expect(smart.prefer(at(), 'eoa')).rejects.toMatchObject({ code: 4001 })
  expect(await smart.tell(at())).toMatchObject({ address })
  expect(await smart.accounts(at())).toMatchObject([{ address }, { namespace: 'solana' }])
  isAgreed = true
  expect(await smart.prefer(at(), 'eoa')).toEqual({ type: 'eoa', address: owner })
  expect(await smart.tell(at())).toMatchObject({ address: owner, preferredAccountType: 'eoa' })
  expect(await smart.accounts(at())).toMatchObject([{ address: owner }, { namespace: 'solana' }])
  const facts = { origin, type: 'eoa', address: owner }
  expect(asked).toEqual([facts, facts])
  // It is so already: nobody is asked.
  await smart.prefer(at(), 'eoa')
  expect(asked).toHaveLength(2)
})

test('a page that comes later is told what the visitor chose last, and one that was told before keeps its address', async () => {
  const { smart, owner, at } = openVisitor()
  const { address } = await smart.tell(at('https://first.example.org'))
  await smart.prefer(at(), 'eoa')
  expect(await smart.tell(at('https://new.example.org'), 'smartAccount')).toMatchObject({ address: owner })
  expect(await smart.tell(at('https://first.example.org'))).toMatchObject({ address })
})

test('a page may say which kind it prefers before it was told one, and is told one by all its requests', async () => {
  const { smart, owner, at } = openVisitor()
  const told = await Promise.all([smart.tell(at(), 'eoa'), smart.tell(at()), smart.tell(at(), 'smartAccount')])
  expect(new Set(told.map(({ address }) => address)).size).toBe(1)
  expect(await smart.tell(at('https://eoa.example.org'), 'eoa')).toMatchObject({ address: owner })
})

test('what a page was told outlives a restart of the browser', async () => {
  const store = memoryStore()
  const first = openVisitor(() => true, store)
  await first.smart.prefer(first.at(), 'eoa')
  const second = openVisitor(() => true, store)
  expect(await second.smart.tell(second.at())).toMatchObject({ preferredAccountType: 'eoa' })
})

test('there is no smart account on a network that has none', async () => {
  const { smart, owner, at } = openVisitor()
  await expect(smart.prefer(at(origin, plain), 'smartAccount')).rejects.toMatchObject({ code: 4200 })
  await expect(smart.init(at(origin, plain))).rejects.toMatchObject({ code: 4200 })
  expect(await smart.prefer(at(origin, plain), 'eoa')).toEqual({ type: 'eoa', address: owner })
})
