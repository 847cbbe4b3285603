import { fakeStorage, manualClock, type FakeStorage } from '@latchkey/core/testing'
import { describe, expect, test } from 'vitest'
import type { SessionProposal } from '../wallet/sessionProposal.ts'
import type { Dapp } from './dapp.ts'
import { partyAccounts, partyNetworks, type Phone } from '../testing/parties.ts'
import { startPartiesOverRelay } from '../testing/partiesOverRelay.ts'

const parties = startPartiesOverRelay()

const { signal } = new AbortController()
const key = '@latchkey/walletconnect/proposals'

/** Returns the storage of a page that was closed while a wallet showed its proposal. */
async function createDiscardedProposal(phone: Phone): Promise<{ storage: FakeStorage; proposal: SessionProposal }> {
  const storage = fakeStorage()
  const page = parties.dapp({ storage })
  const attempt = new AbortController()
  const connecting = page.connect({
    networks: partyNetworks,
    signal: attempt.signal,
    onUri: (uri) => void phone.pair(uri),
  })
  const proposal = await phone.nextProposal()
  const left = fakeStorage()
  await expect.poll(() => storage.values.get(key)).toContain('privateKey')
  for (const [name, value] of storage.values) left.setItem(name, value)
  attempt.abort()
  await connecting.catch(() => {})
  expect(storage.values.get(key)).toBeUndefined()
  page.close()
  return { storage: left, proposal }
}

const approve = (phone: Phone, proposal: SessionProposal) => phone.approve(proposal, { accounts: partyAccounts })

describe('a page that was reloaded while a wallet shows its proposal', () => {
  test('gets a session that is approved later', async () => {
    const phone = parties.phone()
    const { storage, proposal } = await createDiscardedProposal(phone)
    const dapp = parties.dapp({ storage })
    const resuming = dapp.resume(signal)
    const { topic } = await approve(phone, proposal)
    expect(await resuming).toMatchObject({ topic, peer: { name: 'Phone' } })
    expect(storage.values.get(key)).toBeUndefined()
    const pendingResponse = dapp.request({ topic, chainId: 'eip155:1', method: 'personal_sign', params: [] })
    await phone.respond(await phone.nextRequest(), { result: '0x' })
    expect(await pendingResponse).toBe('0x')
  })

  test('gets a session that was approved in the meantime', async () => {
    const phone = parties.phone()
    const { storage, proposal } = await createDiscardedProposal(phone)
    const { topic } = await approve(phone, proposal)
    expect(await parties.dapp({ storage }).resume(signal)).toMatchObject({ topic })
  })

  test('gets no session if the user declines, and removes the proposal', async () => {
    const phone = parties.phone()
    const { storage, proposal } = await createDiscardedProposal(phone)
    const resuming = parties.dapp({ storage }).resume(signal)
    await phone.reject(proposal)
    expect(await resuming).toBeUndefined()
    expect(storage.values.get(key)).toBeUndefined()
  })

  test('gets no session if the proposal expires or the app aborts', async () => {
    const clock = manualClock(Date.now())
    const { storage } = await createDiscardedProposal(parties.phone())
    const again = (dapp: Dapp, until: AbortSignal) => dapp.resume(until).catch((error: unknown) => error)
    const attempt = new AbortController()
    const copy = fakeStorage()
    for (const [name, value] of storage.values) copy.setItem(name, value)
    const stopped = again(parties.dapp({ storage: copy }), attempt.signal)
    attempt.abort()
    expect(await stopped).toMatchObject({ code: 'connection/aborted' })
    const waiting = again(parties.dapp({ storage, clock }), signal)
    await expect.poll(() => clock.waiting()).toBeGreaterThan(1)
    // The proposal was created a little after this clock was stopped.
    clock.advance(400_000)
    expect(await waiting).toBeUndefined()
    expect([storage.values.get(key), copy.values.get(key)]).toEqual([undefined, undefined])
  })

  test('does not wait if no pairing URI was shown', async () => {
    expect(await parties.dapp().resume(signal)).toBeUndefined()
  })
})
