import { createPackage } from './createPackage.mjs'
import { assertName, insertBefore, toPascalCase } from './files.mjs'

/**
 * Creates the package of an adapter for a new namespace, with a client for its nodes and the contract suite of adapters as
 * its test, and adds the namespace to the protocol and to the layers.
 *
 * @param {string} folder the repository
 * @param {string} namespace CAIP-2 prefix, for example `cosmos`
 * @returns {Promise<string[]>} the changed files: one package and two lines
 */
export async function createAdapter(folder, namespace) {
  assertName(namespace, /^[a-z][a-z0-9]{2,7}$/, 'cosmos')
  const title = toPascalCase(namespace)
  const created = await createPackage(folder, namespace, `The Latchkey adapter for ${title} networks.`, {
    dependencies: ['protocol', 'core', 'adapter-kit'],
    files: {
      'index.ts': `export { isLatchkeyError } from '@latchkey/protocol'\nexport { ${namespace}, type ${title}Options } from './${namespace}.ts'\n`,
      [`${namespace}.ts`]: formatAdapter(namespace, title),
      'callNode.ts': callNode(namespace),
      [`${namespace}.test.ts`]: adapterTest(namespace),
    },
  })
  const changed = [
    await insertBefore(folder, 'packages/protocol/src/namespaces.ts', /\] as const/, `, '${namespace}'`),
    await insertBefore(
      folder,
      'scripts/lib/layers.mjs',
      /^ {4}'packages\/evm\/',\n/m,
      `    'packages/${namespace}/',\n`,
    ),
  ]
  return [...new Set([...created, ...changed])]
}

/**
 * @param {string} namespace
 * @param {string} title
 */
function formatAdapter(namespace, title) {
  return `import { formatExplorerUrl, switchWithinWallet } from '@latchkey/adapter-kit'
import type { Adapter } from '@latchkey/core'
import { httpError, walletError, type Network, requestError } from '@latchkey/protocol'
import { callNode } from './callNode.ts'

export type ${title}Options = {
  /** The networks that the app uses, the default first. */
  networks: readonly [Network, ...Network[]]
}

/**
 * Creates the adapter for ${title} networks.
 *
 * @param options the networks of the app
 * @example createLatchkey({ adapters: [${namespace}({ networks: [network] })] })
 */
export function ${namespace}({ networks }: ${title}Options): Adapter {
  const [first] = networks
  return {
    namespace: '${namespace}',
    name: '${title}',
    networks,
    isAddress: (value) => /^[a-z0-9]{20,90}$/.test(value),
    async getBalance(network, address) {
      const { decimals, symbol } = network.nativeCurrency
      const value = await callNode(network, 'getBalance', [address])
      if (typeof value !== 'string') throw httpError('http/invalid-response', { subject: 'a balance' })
      return { value: BigInt(value), decimals, symbol }
    },
    async signMessage({ provider, wallet }, account, message) {
      const signature = await provider.request({ method: 'signMessage', params: [account, message] })
      if (typeof signature === 'string') return signature
      throw walletError('wallet/invalid-response', { wallet: wallet.name, method: 'signMessage' })
    },
    async verifyMessage() {
      throw requestError('request/not-allowed', { method: 'verifyMessage' })
    },
    async sendTransaction() {
      throw requestError('request/not-allowed', { method: 'sendTransaction' })
    },
    async waitForReceipt() {
      throw requestError('request/not-allowed', { method: 'waitForReceipt' })
    },
    switchNetwork: switchWithinWallet,
    explorerUrl: formatExplorerUrl,
    unknownNetwork: (chainId) => ({ ...first, caipNetworkId: chainId, name: chainId }),
  }
}
`
}

/** @param {string} namespace */
function callNode(namespace) {
  return `import { fetchFirst } from '@latchkey/adapter-kit'
import type { Network } from '@latchkey/protocol'

/**
 * Sends a JSON-RPC request to the nodes of a ${namespace} network, in order, until one responds.
 *
 * @throws LatchkeyError \`rpc/unreachable\` if no node responds
 */
export function callNode(network: Network, method: string, params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return fetchFirst(network, undefined, async (url, signal) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body, signal })
    const { result }: { result?: unknown } = await response.json()
    return result
  })
}
`
}

/** @param {string} namespace */
function adapterTest(namespace) {
  return `import { fakeNetwork } from '@latchkey/core/testing'
import { expect, test } from 'vitest'
import { ${namespace} } from './${namespace}.ts'

const network = fakeNetwork({ namespace: '${namespace}', rpcUrls: { default: { http: ['http://127.0.0.1:1'] } } })
const adapter = ${namespace}({ networks: [network] })

// Add describeAdapter('${namespace}', …) of @latchkey/core/testing once a local ${namespace} node runs in tests.
test('getBalance rejects when no node responds', async () => {
  await expect(adapter.getBalance(network, 'address')).rejects.toMatchObject({ code: 'rpc/unreachable' })
})

test('isAddress accepts addresses of the namespace only', () => {
  expect(adapter.isAddress('${namespace}1x6w3fz9qk2m8v4h7t5y0')).toBe(true)
  expect(adapter.isAddress('0x00')).toBe(false)
})
`
}
