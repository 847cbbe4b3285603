import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test'
import { installSimulatedBitcoinWallet } from '../bitcoin/installSimulatedBitcoinWallet.ts'
import type { SimulatedBitcoinWallet } from '../bitcoin/simulatedBitcoinWallet.ts'
import { createSimulatedPhone, type SimulatedPhone } from '../phone/simulatedPhone.ts'
import { installSimulatedPolkadotExtension } from '../polkadot/installSimulatedPolkadotExtension.ts'
import type { SimulatedPolkadotExtension } from '../polkadot/simulatedPolkadotExtension.ts'
import { installSimulatedSolanaWallet } from '../solana/installSimulatedSolanaWallet.ts'
import type { SimulatedSolanaWallet } from '../solana/wallet.ts'
import { testKeys } from '../testKeys.ts'
import { createMailboxReader, type MailboxReader } from '../world/mailbox.ts'
import { findTestWorld, type TestWorldUrls } from '../world/testWorldUrls.ts'
import { installSimulatedExtension, type InstalledExtension } from './installSimulatedExtension.ts'

/** The fixtures of a test. A wallet is installed only if the test names it, in all pages of the test's context. */
export type TestkitFixtures = {
  /** An EVM extension, "Test Wallet", with funded accounts. */
  evmWallet: InstalledExtension
  /** A Wallet Standard wallet, "Test Solana". */
  solanaWallet: SimulatedSolanaWallet
  /** A Bitcoin extension, "Test Bitcoin". */
  bitcoinWallet: SimulatedBitcoinWallet
  /** A Polkadot extension, "test-polkadot". */
  polkadotWallet: SimulatedPolkadotExtension
  /** A phone wallet that connects through the relay. */
  phone: SimulatedPhone
  /** The inbox that receives all mails of the test world. */
  mailbox: MailboxReader
}

/** The fixtures that the tests of a worker share. */
export type TestkitWorkerFixtures = {
  /** The addresses of the test world. */
  world: TestWorldUrls
}

const evmChainId = 31_337

/**
 * Playwright's `test` with simulated wallets, a phone and a mailbox, connected to the test world that `npx @latchkey/testkit up`
 * started.
 *
 * @example
 * test('connects', async ({ page, evmWallet }) => {
 *   await page.goto('http://localhost:5173')
 *   evmWallet.rejectNext()
 * })
 */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & TestkitFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & TestkitWorkerFixtures
> = base.extend<TestkitFixtures, TestkitWorkerFixtures>({
  world: [
    async ({}, use) => {
      await use(await findTestWorld())
    },
    { scope: 'worker' },
  ],
  evmWallet: async ({ context, world }, use) => {
    const wallet = { privateKeys: testKeys.eip155, rpcUrls: { [evmChainId]: world.evm }, chainId: evmChainId }
    const info = { name: 'Test Wallet', rdns: 'dev.latchkey.test' }
    await use(await installSimulatedExtension(context, { ...wallet, info }))
  },
  solanaWallet: async ({ context, world }, use) => {
    const rpcUrls: Record<string, string> = world.solana === undefined ? {} : { 'solana:localnet': world.solana }
    const info = { name: 'Test Solana' }
    await use(await installSimulatedSolanaWallet(context, { privateKeys: testKeys.solana, rpcUrls, info }))
  },
  bitcoinWallet: async ({ context, world }, use) => {
    const [key] = testKeys.bip122
    const sources = { regtest: world.bitcoin }
    const options = { privateKeys: [key], chain: 'regtest', sources, name: 'Test Bitcoin' } as const
    await use(await installSimulatedBitcoinWallet(context, options))
  },
  polkadotWallet: async ({ context }, use) => {
    const [alice, bob] = testKeys.polkadot
    const accounts = [
      { seed: alice, name: 'Alice' },
      { seed: bob, name: 'Bob' },
    ] as const
    await use(await installSimulatedPolkadotExtension(context, { accounts, name: 'test-polkadot' }))
  },
  phone: async ({ world }, use) => {
    const { relay: relayUrl, projectId, evm } = world
    const wallet = { privateKeys: testKeys.eip155, rpcUrls: { [evmChainId]: evm }, chainId: evmChainId }
    const phone = createSimulatedPhone({ relayUrl, projectId, ...wallet })
    await use(phone)
    phone.close()
  },
  mailbox: async ({ world }, use) => {
    await use(createMailboxReader(world.mailbox))
  },
})

export { expect } from '@playwright/test'
export { copyPairingUri } from './copyPairingUri.ts'
