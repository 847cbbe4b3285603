import { test as base, type TestAPI } from 'vitest'
import { createSimulatedExtension, type SimulatedExtension } from '../evm/extension.ts'
import { createSimulatedPhone, type SimulatedPhone } from '../phone/simulatedPhone.ts'
import { createSimulatedSolanaWallet, type SimulatedSolanaWallet } from '../solana/wallet.ts'
import { testKeys } from '../testKeys.ts'
import { createMailboxReader, type MailboxReader } from '../world/mailbox.ts'
import { findTestWorld, type TestWorldUrls } from '../world/testWorldUrls.ts'

/** The fixtures of a test in Node.js. A wallet is created only if the test names it. */
export type VitestFixtures = {
  /** The addresses of the test world. */
  world: TestWorldUrls
  /** An EVM wallet with funded accounts. `announce(evmWallet, window)` shows it to a page, for example of happy-dom. */
  evmWallet: SimulatedExtension
  /** A Wallet Standard wallet with funded accounts; `registerSolanaWallet(solanaWallet, window)` shows it to a page. */
  solanaWallet: SimulatedSolanaWallet
  /** A phone wallet that connects through the relay. */
  phone: SimulatedPhone
  /** The inbox that receives all mails of the test world. */
  mailbox: MailboxReader
}

const evmChainId = 31_337
const evmOptions = ({ evm }: TestWorldUrls) =>
  ({ privateKeys: testKeys.eip155, rpcUrls: { [evmChainId]: evm }, chainId: evmChainId }) as const

/**
 * Vitest's `test` with simulated wallets, a phone and a mailbox, connected to the test world that `npx @latchkey/testkit up`
 * started. For tests that run in Node.js.
 *
 * @example
 * test('signs', async ({ evmWallet }) => {
 *   await evmWallet.request({ method: 'eth_requestAccounts' })
 * })
 */
export const test: TestAPI<VitestFixtures> = base.extend<VitestFixtures>({
  world: async ({}, use) => {
    await use(await findTestWorld())
  },
  evmWallet: async ({ world }, use) => {
    await use(createSimulatedExtension({ ...evmOptions(world), info: { name: 'Test Wallet' } }))
  },
  solanaWallet: async ({ world }, use) => {
    const rpcUrls: Record<string, string> = world.solana === undefined ? {} : { 'solana:localnet': world.solana }
    await use(createSimulatedSolanaWallet({ privateKeys: testKeys.solana, rpcUrls, info: { name: 'Test Solana' } }))
  },
  phone: async ({ world }, use) => {
    const phone = createSimulatedPhone({ relayUrl: world.relay, projectId: world.projectId, ...evmOptions(world) })
    await use(phone)
    phone.close()
  },
  mailbox: async ({ world }, use) => {
    await use(createMailboxReader(world.mailbox))
  },
})
