import { randomBytes } from 'node:crypto'
import { polkadot } from '@latchkey/polkadot'
import { createSimulatedPolkadotExtension } from '@latchkey/testkit'
import { installSimulatedPolkadotExtension } from '@latchkey/testkit/playwright'
import { expect, type Page } from '@playwright/test'
import type { Urls } from './fixtures.ts'

type SimulatedExtension = Awaited<ReturnType<typeof installSimulatedPolkadotExtension>>

/** A new address that is unknown to the local chain. */
export function newPolkadotAddress(): string {
  const [address = ''] = createSimulatedPolkadotExtension({ accounts: [{ seed: newSeed() }] }).addresses()
  return address
}

/** Installs an extension with a new account and this balance, in base units, in a page. */
export async function installFundedPolkadotExtension(
  page: Page,
  urls: Urls,
  free: bigint,
): Promise<SimulatedExtension> {
  const options = { accounts: [{ seed: newSeed(), name: 'Everyday' }], name: 'test-dots' } as const
  const extension = await installSimulatedPolkadotExtension(page, options)
  const record = { providers: 1, data: { free: String(free) } }
  const accountOf = [[extension.addresses()[0]], record]
  // The first request installs and starts the chain.
  await expect
    .poll(() => requestPolkadot(urls, 'dev_setStorage', [{ System: { Account: [accountOf] } }]), { timeout: 240_000 })
    .not.toHaveProperty('error')
  return extension
}

/** Returns the balance of an address of the local chain, in base units. */
export async function getPolkadotBalance(urls: Urls, address: string): Promise<bigint> {
  const genesis = Reflect.get(await requestPolkadot(urls, 'chain_getBlockHash', [0]), 'result')
  const id = String(genesis).slice(2, 34)
  const network = {
    id,
    name: 'Polkadot Local',
    caipNetworkId: `polkadot:${id}`,
    chainNamespace: 'polkadot',
    nativeCurrency: { name: 'Unit', symbol: 'UNIT', decimals: 12 },
    rpcUrls: { default: { http: [urls.polkadot ?? ''] } },
    ss58Format: 42,
  } as const
  return (await polkadot({ networks: [network] }).getBalance(network, address)).value
}

async function requestPolkadot(urls: Urls, method: string, params: readonly unknown[]): Promise<object> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(urls.polkadot ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  return (await response.json()) as object
}

function newSeed(): string {
  return randomBytes(32).toString('hex')
}
