import { randomBytes } from 'node:crypto'
import { createSimulatedBitcoinWallet } from '@latchkey/testkit'
import { installSimulatedBitcoinWallet } from '@latchkey/testkit/playwright'
import { expect, type Page } from '@playwright/test'
import type { Urls } from './fixtures.ts'

/** The key 3 of the recovery phrase that all development chains share. It holds coins, and no other test spends them. */
const faucetKey = '7b79a0ca0387b59e58b1aad16a8129da0d1d1a46ad335aa742e4fda77359fd82'

type FundedBitcoinWallet = Awaited<ReturnType<typeof installSimulatedBitcoinWallet>>

/** A new address that is unknown to the local chain. */
export function newBitcoinAddress(): string {
  const [address] = createSimulatedBitcoinWallet({ privateKeys: [newKey()], chain: 'regtest' }).addresses()
  return address
}

/** Installs a Bitcoin wallet with a new key and these amounts, in satoshis, in a page. */
export async function installFundedBitcoinWallet(
  page: Page,
  urls: Urls,
  { face, amounts }: { face: 'standard' | 'sats'; amounts: readonly number[] },
): Promise<FundedBitcoinWallet> {
  const sources = { regtest: urls.bitcoin ?? '' }
  const shared = { chain: 'regtest', sources } as const
  const wallet = await installSimulatedBitcoinWallet(page, {
    ...shared,
    privateKeys: [newKey()],
    name: 'Test Coin',
    faces: [face],
  })
  const faucet = createSimulatedBitcoinWallet({ ...shared, privateKeys: [faucetKey], permitted: true })
  const recipients = amounts.map((amount) => ({ address: wallet.addresses()[0], amount }))
  // Another worker may spend the same coin of the faucet at the same time.
  await expect(async () => void (await faucet.request({ method: 'sendTransfer', params: { recipients } }))).toPass()
  return wallet
}

/** Returns the amount that an address of the local chain holds, in satoshis. */
export async function getBitcoinBalance(urls: Urls, address: string): Promise<number> {
  const response = await fetch(`${urls.bitcoin}/address/${address}/utxo`)
  const coins = (await response.json()) as ReadonlyArray<{ value: number }>
  return coins.reduce((sum, { value }) => sum + value, 0)
}

function newKey(): string {
  return randomBytes(32).toString('hex')
}
