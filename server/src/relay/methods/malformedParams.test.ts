import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assert, asyncProperty, constantFrom, jsonValue } from 'fast-check'
import { expect, test } from 'vitest'
import { relayLimits } from '../relayVariables.ts'
import { dispatchRequest } from '../connections/dispatchRequest.ts'
import { parseFrame } from '../connections/parseFrame.ts'
import { createRelayIdentity } from '../relayIdentity.ts'
import type { ClientSession } from '../connections/clientSession.ts'
import { parseWatchToken, parseUnwatchToken, type WatchRules } from '../watches/watch.ts'
import { methodNames } from './index.ts'

const topic = 'a'.repeat(64)
const rules: WatchRules = { now: 0, audiences: [], checkAddress: () => {} }
const session: ClientSession = {
  clientId: 'client',
  limits: relayLimits('local'),
  watches: {
    identity: createRelayIdentity(new Uint8Array(32)),
    register: async (token) => void (await parseWatchToken(token, rules)),
    unregister: async (token) => void (await parseUnwatchToken(token, rules)),
  },
  publish: async () => undefined,
  broadcast: () => {},
  attest: () => '',
  subscribe: () => 'id',
  deliverUndelivered: () => {},
  redeliver: () => {},
  resume: () => {},
  unsubscribe: () => {},
  isSubscribed: () => false,
  checkItems: () => {},
  fetchUndelivered: async () => ({ messages: [], hasMore: false }),
  acknowledge: () => {},
  acknowledgeAll: async () => {},
  end: () => {},
}

/** Parameters that are valid except for one. */
function withStrange(value: unknown): readonly object[] {
  const receipt = { topic, messageId: 1 }
  const newMessage = { topic, message: 'm', ttl: 300, tag: 1, attestation: '' }
  const right = {
    ...newMessage,
    pairingTopic: topic,
    sessionTopic: 'b'.repeat(64),
    sessionProposal: 'p',
    sessionProposalResponse: 'r',
    sessionSettlementRequest: 's',
    topics: [topic],
    messages: [newMessage],
    receipts: [receipt],
    subscriptions: [{ topic, id: 'i' }],
    registerAuth: 'a.b.c',
    unregisterAuth: 'a.b.c',
  }
  const strange = Object.keys(right).map((name) => ({ ...right, [name]: value }))
  const inLists = { ...right, topics: [value], messages: [value], receipts: [value], subscriptions: [value] }
  const deep = { ...right, messages: [{ ...newMessage, topic: value }], receipts: [{ topic, messageId: value }] }
  return [...strange, inLists, deep]
}

async function faultsOf(method: string, value: unknown): Promise<readonly unknown[]> {
  const faults: unknown[] = []
  for (const params of withStrange(value)) {
    const { text } = await dispatchRequest(session, { idToken: '7', method, params: { ...params } }, (error) =>
      faults.push(error),
    )
    // Any response will do, a result or an error.
    expect(JSON.parse(text)).toMatchObject({ id: 7, jsonrpc: '2.0' })
  }
  return faults
}

test('every method responds to arbitrary JSON params without an internal fault [R-11]', async () => {
  await assert(
    asyncProperty(constantFrom(...methodNames), jsonValue(), async (method, value) => {
      expect(await faultsOf(method, value)).toEqual([])
    }),
  )
})

// The cases are public (JSONTestSuite) and are expected next to the repository, or in the folder that LATCHKEY_VECTORS names.
const root = fileURLToPath(new URL('../../../../', import.meta.url))
const vectors = resolve(root, process.env['LATCHKEY_VECTORS'] ?? '../shared/vectors', 'json/test_parsing')
const cases = existsSync(vectors) ? readdirSync(vectors).filter((name) => !name.startsWith('n_')) : []
const state = cases.length > 0 ? '' : ' (NOT TRIED: there is no JSONTestSuite next to the repository)'

test(
  `every method responds to JSONTestSuite values in its params without an internal fault${state} [R-11, G-06]`,
  { tags: 'abuse' },
  async () => {
    const stumbled: string[] = []
    for (const name of cases) {
      const body = readFileSync(resolve(vectors, name)).toString('utf8')
      const frame = parseFrame(`{"id":7,"jsonrpc":"2.0","method":"irn_publish","params":{"value":${body}}}`)
      if (frame.kind !== 'request') continue
      for (const method of methodNames) {
        if ((await faultsOf(method, frame.request.params['value'])).length > 0) stumbled.push(`${method} ${name}`)
      }
    }
    expect(stumbled).toEqual([])
  },
)
