import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assert, asyncProperty, constantFrom, jsonValue } from 'fast-check'
import { expect, test } from 'vitest'
import { relayLimits } from '../config.ts'
import { dispatch } from '../dispatch.ts'
import { readFrame } from '../frames.ts'
import { createRelayIdentity } from '../identity.ts'
import type { Session } from '../session.ts'
import { readWatch, readWatchEnd, type WatchRules } from '../watches/watch.ts'
import { methodNames } from './index.ts'

const topic = 'a'.repeat(64)
const rules: WatchRules = { now: 0, audiences: [], checkAddress: () => {} }
const session: Session = {
  clientId: 'client',
  limits: relayLimits('local'),
  watches: {
    identity: createRelayIdentity(new Uint8Array(32)),
    register: async (token) => void readWatch(token, rules),
    unregister: async (token) => void readWatchEnd(token, rules),
  },
  publish: async () => undefined,
  announce: () => {},
  attest: () => '',
  subscribe: () => 'id',
  deliverWaiting: () => {},
  resume: () => {},
  unsubscribe: () => {},
  isSubscribed: () => false,
  fetch: async () => ({ messages: [], hasMore: false }),
  acknowledge: () => {},
  receive: async () => {},
  end: () => {},
}

/** Parameters that are right but for one, in whose place stands something else. */
function withStrange(value: unknown): readonly object[] {
  const receipt = { topic, messageId: 1 }
  const letter = { topic, message: 'm', ttl: 300, tag: 1, attestation: '' }
  const right = {
    ...letter,
    pairingTopic: topic,
    sessionTopic: 'b'.repeat(64),
    sessionProposal: 'p',
    sessionProposalResponse: 'r',
    sessionSettlementRequest: 's',
    topics: [topic],
    messages: [letter],
    receipts: [receipt],
    subscriptions: [{ topic, id: 'i' }],
    registerAuth: 'a.b.c',
    unregisterAuth: 'a.b.c',
  }
  const strange = Object.keys(right).map((name) => ({ ...right, [name]: value }))
  const inLists = { ...right, topics: [value], messages: [value], receipts: [value], subscriptions: [value] }
  const deep = { ...right, messages: [{ ...letter, topic: value }], receipts: [{ topic, messageId: value }] }
  return [...strange, inLists, deep]
}

async function faultsOf(method: string, value: unknown): Promise<readonly unknown[]> {
  const faults: unknown[] = []
  for (const params of withStrange(value)) {
    const { text } = await dispatch(session, { idToken: '7', method, params: { ...params } }, (error) =>
      faults.push(error),
    )
    // It is an answer, whatever it says.
    expect(JSON.parse(text)).toMatchObject({ id: 7, jsonrpc: '2.0' })
  }
  return faults
}

test('no method stumbles over parameters that are anything [R-11]', async () => {
  await assert(
    asyncProperty(constantFrom(...methodNames), jsonValue(), async (method, value) => {
      expect(await faultsOf(method, value)).toEqual([])
    }),
  )
})

// The cases are public (JSONTestSuite) and lie beside the repository; elsewhere LATCHKEY_VECTORS says where.
const root = fileURLToPath(new URL('../../../../', import.meta.url))
const vectors = resolve(root, process.env['LATCHKEY_VECTORS'] ?? '../shared/vectors', 'json/test_parsing')
const cases = existsSync(vectors) ? readdirSync(vectors).filter((name) => !name.startsWith('n_')) : []
const state = cases.length > 0 ? '' : ' (NOT TRIED: there is no JSONTestSuite beside the repository)'

test(`no method stumbles over JSONTestSuite in its parameters${state} [R-11, G-06]`, async () => {
  const stumbled: string[] = []
  for (const name of cases) {
    const body = readFileSync(resolve(vectors, name)).toString('utf8')
    const frame = readFrame(`{"id":7,"jsonrpc":"2.0","method":"irn_publish","params":{"value":${body}}}`)
    if (frame.kind !== 'request') continue
    for (const method of methodNames) {
      if ((await faultsOf(method, frame.request.params['value'])).length > 0) stumbled.push(`${method} ${name}`)
    }
  }
  expect(stumbled).toEqual([])
})
