import type { Connector } from '@latchkey/core'
import { getRejection, manualClock, flushTasks } from '@latchkey/core/testing'
import { expect, test } from 'vitest'
import { bitcoin } from '../bitcoin.ts'
import { bitcoinMainnet } from '../chain/bitcoinNetworks.ts'

const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const request = { networks: [bitcoinMainnet], signal: new AbortController().signal }

function discover(objects: object): readonly Connector[] {
  const found: Connector[] = []
  const page = Object.assign(new EventTarget(), objects)
  bitcoin({ networks: [bitcoinMainnet], page, clock: manualClock() }).discover?.((connector) => found.push(connector))
  return found
}

function getOnlyConnector(connectors: readonly Connector[]): Connector {
  const [connector, ...others] = connectors
  if (connector === undefined || others.length > 0) throw new Error('There is not exactly one wallet.')
  return connector
}

/** Enkrypt: UniSat's methods without `getChain` and `disconnect`, and errors that are strings. */
function createEnkrypt(approves: boolean): object {
  return {
    async requestAccounts() {
      if (approves) return [address]
      throw '{"code":4001,"message":"User Rejected Request: The user rejected the request."}'
    },
    getAccounts: async () => [address],
    getPublicKey: async () => '02'.repeat(33),
    getNetwork: async () => 'livenet',
    on() {},
    removeListener() {},
  }
}

test('Enkrypt is found once, by its name, although it also injects UniSat [R1.1]', () => {
  const provider = createEnkrypt(true)
  const found = discover({ unisat: provider, enkrypt: { providers: { bitcoin: provider } } })
  expect(found.map(({ id, name }) => [id, name])).toEqual([['bitcoin:enkrypt', 'Enkrypt']])
})

test('Enkrypt connects on its network [R1.1]', async () => {
  const connector = getOnlyConnector(discover({ enkrypt: { providers: { bitcoin: createEnkrypt(true) } } }))
  const [connection] = await connector.connect(request)
  expect(connection).toMatchObject({ chainId: bitcoinMainnet.caipNetworkId })
})

test('a rejection in Enkrypt, a bare text, is a rejection [R8.3.7]', async () => {
  const connector = getOnlyConnector(discover({ enkrypt: { providers: { bitcoin: createEnkrypt(false) } } }))
  expect(await getRejection(connector.connect(request))).toMatchObject({ code: 'connection/rejected' })
})

/** UniSat, which also has networks that are not Bitcoin's. */
function createUnisat(chain: string) {
  const state = { chain }
  const listeners = new Map<string, () => void>()
  return {
    state,
    emit: (event: string) => listeners.get(event)?.(),
    provider: {
      requestAccounts: async () => [address],
      getAccounts: async () => [address],
      getPublicKey: async () => '02'.repeat(33),
      getChain: async () => ({ enum: state.chain, name: 'Fractal Bitcoin Mainnet', network: 'livenet' }),
      getNetwork: async () => 'livenet',
      async switchChain(name: string) {
        state.chain = name
      },
      on: (event: string, listener: () => void) => void listeners.set(event, listener),
      removeListener: (event: string) => void listeners.delete(event),
    },
  }
}

test('UniSat on Fractal connects on a network that the app does not offer, and can switch [R4.2.3]', async () => {
  const { provider, state } = createUnisat('FRACTAL_BITCOIN_MAINNET')
  const [connection] = await getOnlyConnector(discover({ unisat: provider })).connect(request)
  expect(connection.chainId).toBe('bip122:FRACTAL_BITCOIN_MAINNET')
  expect(bitcoin().unknownNetwork(connection.chainId).name).toBe('Fractal Bitcoin')
  expect(await connection.switchTo?.(bitcoinMainnet.caipNetworkId)).toBe(true)
  expect(state.chain).toBe('BITCOIN_MAINNET')
  expect(connection.chainId).toBe(bitcoinMainnet.caipNetworkId)
})

test('UniSat that changes to Fractal stays connected, on another network [R4.2.3]', async () => {
  const { provider, state, emit } = createUnisat('BITCOIN_MAINNET')
  const [connection] = await getOnlyConnector(discover({ unisat: provider })).connect(request)
  const chains: string[] = []
  connection.listen({
    accountsChanged() {},
    chainChanged: (chainId) => void chains.push(chainId),
    disconnected: () => void chains.push('disconnected'),
  })
  await flushTasks()
  state.chain = 'FRACTAL_BITCOIN_TESTNET'
  emit('chainChanged')
  await expect.poll(() => chains).toEqual(['bip122:FRACTAL_BITCOIN_TESTNET'])
})

test.each(['', 'A chain with spaces', 'X'.repeat(40), 7])('UniSat with the chain name %j is invalid', async (chain) => {
  const { provider } = createUnisat(String(chain))
  Object.assign(provider, { getChain: async () => ({ enum: chain }), getNetwork: async () => chain })
  expect(await getRejection(getOnlyConnector(discover({ unisat: provider })).connect(request))).toMatchObject({
    code: 'wallet/invalid-response',
  })
})
