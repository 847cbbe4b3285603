import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  findAnvil,
  startAnvil,
  startIdentity,
  startLocalBitcoin,
  startMailbox,
  startSolana,
  type LocalSolana,
} from '@latchkey/devnet'
import { readConfig, startServer } from '@latchkey/server'
import type { TestWorldUrls } from './testWorldUrls.ts'

/** A running test world. */
export type TestWorld = { readonly urls: TestWorldUrls; close(): Promise<void> }

const projectId = '1a7c4e1000000000000000000000c0de'
const evmChainId = 31_337

/**
 * Starts what an app with Latchkey needs for its tests, on free ports of this machine: an EVM node, a Solana runtime, a Bitcoin
 * chain, the relay and server on an embedded PostgreSQL, a mailbox, and the identity providers of social logins. All data is lost
 * at the end.
 *
 * @throws Error with a sentence about the part that failed; the others are stopped again
 * @example
 * const world = await startTestWorld()
 * afterAll(world.close)
 */
export async function startTestWorld(): Promise<TestWorld> {
  const closers: Array<() => Promise<void>> = []
  const close = async (): Promise<void> => {
    for (const stop of closers.splice(0).toReversed()) await stop()
  }
  const keep = <service extends { close(): Promise<void> }>(service: service): service => {
    closers.push(service.close)
    return service
  }
  try {
    findAnvil()
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-testkit-'))
    closers.push(() => rm(folder, { recursive: true, force: true }))
    // If this process runs as root, the database runs as another user, who needs access to the folder. It would otherwise
    // store its files elsewhere, where they would remain.
    await chmod(folder, 0o711)
    const [evm, bitcoin, mailbox, identity, solana] = await Promise.all([
      startAnvil({ chainId: evmChainId, port: 0 }).then(keep),
      startLocalBitcoin().then(keep),
      startMailbox().then(keep),
      startIdentity().then(keep),
      startSolana().then((chain) => chain && keep(chain)),
    ])
    const chainsFile = join(folder, 'chains.json')
    await writeFile(chainsFile, JSON.stringify(describeChains(evm.rpcUrl, solana)))
    const server = keep(await startServer(readConfig(serverEnvironment(folder, chainsFile))))
    const urls = {
      evm: evm.rpcUrl,
      solana: solana?.rpcUrl,
      bitcoin: bitcoin.rpcUrl,
      server: server.url,
      relay: server.relayUrl,
      projectId,
      mailbox: mailbox.url,
      smtp: mailbox.smtpUrl,
      identity: identity.url,
      socials: identity.socials,
    }
    return { urls, close }
  } catch (error) {
    await close()
    throw error
  }
}

function describeChains(evmUrl: string, solana: LocalSolana | undefined): readonly object[] {
  const ether = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const evm = { caipNetworkId: `eip155:${evmChainId}`, name: 'Test Chain', nativeCurrency: ether, rpcUrls: [evmUrl] }
  if (solana === undefined) return [evm]
  const { caipNetworkId, name, nativeCurrency } = solana.network
  return [evm, { caipNetworkId, name, nativeCurrency, rpcUrls: [solana.rpcUrl], tokens: solana.tokens }]
}

function serverEnvironment(folder: string, chainsFile: string): Readonly<Record<string, string>> {
  return {
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: folder,
    CHAINS_FILE: chainsFile,
    PROJECTS: 'any',
    LIMITS: 'local',
    SERVICES: 'relay,api',
    LOG_LEVEL: 'error',
  }
}
