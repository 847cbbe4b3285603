import { createLatchkey, getAccount, memoryStorage, start, systemClock, type Connector } from '@latchkey/core'
import { getRejection, fakeAdapter, fakeStorage } from '@latchkey/core/testing'
import { startTestRelay } from '@latchkey/server/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { walletConnect } from './walletConnect.ts'
import { createParties, partyAccounts, partyNetworks, type Parties, type Phone } from '../testing/parties.ts'
import type { SessionProposal } from '../wallet/sessionProposal.ts'

let server: Awaited<ReturnType<typeof startTestRelay>>
let parties: Parties
const connectors: Connector[] = []
const createSocket = (url: string): WebSocket => new WebSocket(url)

beforeAll(async () => {
  server = await startTestRelay()
  parties = createParties({ relayUrl: server.relayUrl, createSocket })
})
afterEach(async () => {
  await Promise.all(connectors.splice(0).map((connector) => connector.disconnect()))
  parties.close()
})
afterAll(() => server.close())

function makeConnector(storage = fakeStorage()): Connector {
  const connector = walletConnect({
    relayUrl: server.relayUrl,
    projectId: 'ab'.repeat(16),
    metadata: { name: 'App', description: '', url: 'https://app.example', icons: [] },
    storage,
    createSocket,
  })
  connectors.push(connector)
  return connector
}

const networks = partyNetworks

/** The connector of a reloaded page. The earlier page was unloaded while its user was in the wallet. */
async function resumeConnector(): Promise<{ phone: Phone; proposal: SessionProposal; connector: Connector }> {
  const [phone, storage, left] = [parties.phone(), fakeStorage(), fakeStorage()]
  const attempt = new AbortController()
  const earlier = makeConnector(storage)
  const connecting = earlier.connect({ networks, signal: attempt.signal, onUri: (uri) => void phone.pair(uri) })
  const proposal = await phone.nextProposal()
  await expect.poll(() => storage.values.get('@latchkey/walletconnect/proposals')).toContain('privateKey')
  for (const [name, value] of storage.values) left.setItem(name, value)
  attempt.abort()
  await connecting.catch(() => {})
  return { phone, proposal, connector: makeConnector(left) }
}

describe('a page that was unloaded while its user was in the wallet', () => {
  test('connects when the user approves', async () => {
    const { phone, proposal, connector } = await resumeConnector()
    const latchkey = createLatchkey({
      adapters: [fakeAdapter({ networks: [...networks] as [(typeof networks)[number]] })],
      connectors: [connector],
      storage: memoryStorage(),
      clock: systemClock,
    })
    const stop = start(latchkey)
    expect(getAccount(latchkey).status).toBe('disconnected')
    await phone.approve(proposal, { accounts: partyAccounts })
    await expect.poll(() => getAccount(latchkey)).toMatchObject({ status: 'connected', account: partyAccounts[0] })
    stop()
  })

  test('waits once for repeated calls of resume', async () => {
    const { phone, proposal, connector } = await resumeConnector()
    const waiting = [connector.resume?.({ networks }), connector.resume?.({ networks })]
    await phone.approve(proposal, { accounts: partyAccounts })
    const [one, other] = await Promise.all(waiting)
    expect(one).toHaveLength(1)
    expect(other?.[0]).toBe(one?.[0])
  })

  test('stops waiting when the user connects again', async () => {
    const { proposal, phone, connector } = await resumeConnector()
    const waiting = connector.resume?.({ networks }) ?? expect.fail('nothing is left')
    const outcome = getRejection(waiting)
    const { signal } = new AbortController()
    const second = parties.phone()
    const connecting = connector.connect({ networks, signal, onUri: (uri) => void second.pair(uri) })
    await second.approve(await second.nextProposal(), { accounts: partyAccounts })
    await connecting
    expect(await outcome).toMatchObject({ code: 'connection/aborted' })
    expect(phone.sessions()).toEqual([])
    expect(proposal.proposer.name).toBe('App')
  })

  test('does not wait if no pairing URI was shown, or the storage cannot be read', () => {
    const denied = { ...fakeStorage(), getItem: () => expect.fail('denied') }
    expect(makeConnector().resume?.({ networks })).toBeUndefined()
    expect(makeConnector(denied).resume?.({ networks })).toBeUndefined()
  })
})
