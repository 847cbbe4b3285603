import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../../connection/connect.ts'
import { disconnect } from '../../connection/disconnect.ts'
import {
  getRejection,
  fakeAccount,
  fakeConnector,
  fakeStorage,
  fakeWorld,
  type FakeWorld,
} from '../../testing/fakes.ts'
import { openSend } from './form.ts'
import { isKnownReceiver, rememberReceiver } from './knownReceivers.ts'
import { contactLimits, receiverBook, removeContact, removeRecentReceiver, saveContact } from './receiverBook.ts'
import { setReceiver } from './receiver.ts'
import { sendState } from './state.ts'

const from = fakeAccount('eip155:1')
const key = '@latchkey/address_book/eip155'
const addressOf = (index: number): string => `0x${String(index).padStart(40, '0')}`
const bob = addressOf(7)

let world: FakeWorld

beforeEach(async () => {
  world = fakeWorld({ connectors: [fakeConnector()] })
  await connect(world.latchkey, 'fake')
})

const getBook = () => receiverBook(world.latchkey).getState()

describe('recent receivers', () => {
  test('are learned from payments, the newest five are offered, and they survive disconnecting', async () => {
    const { latchkey } = world
    for (let index = 1; index <= 7; index += 1) rememberReceiver(latchkey, from, addressOf(index))
    latchkey.events.emit({ type: 'send', chainId: 'eip155:1', from, hash: '0x1' })
    expect(getBook().recent).toEqual([7, 6, 5, 4, 3].map(addressOf))
    await disconnect(latchkey)
    expect(getBook().recent).toEqual([])
    await connect(latchkey, 'fake')
    expect(getBook().recent).toEqual([7, 6, 5, 4, 3].map(addressOf))
  })

  test('can be removed, and then count as new again', () => {
    const { latchkey } = world
    rememberReceiver(latchkey, from, bob)
    removeRecentReceiver(latchkey, bob)
    expect(getBook().recent).toEqual([])
    expect(isKnownReceiver(latchkey, from, bob)).toBe(false)
  })
})

describe('the address book', () => {
  const alice = `0xab${'c'.repeat(32)}001234`
  const lookAlike = `0xab${'f'.repeat(32)}001234`

  /** Enters a receiver, and returns the notes of the form. */
  async function inspectReceiver(address: string) {
    const { latchkey } = world
    openSend(latchkey)
    setReceiver(latchkey, address)
    await expect.poll(() => sendState(latchkey).getState().receiverAddress).toBe(address)
    const { notes, similarTo } = sendState(latchkey).getState()
    return { notes, similarTo }
  }

  test('reveals look-alikes of an address that was never paid, and its own entries are no first receivers', async () => {
    saveContact(world.latchkey, { name: 'Alice', address: alice })
    expect(await inspectReceiver(lookAlike)).toEqual({ notes: ['similar', 'first-time'], similarTo: alice })
    expect(await inspectReceiver(alice)).toEqual({ notes: [], similarTo: undefined })
  })

  test('does not hide that a saved address looks like a paid one', async () => {
    rememberReceiver(world.latchkey, from, alice)
    saveContact(world.latchkey, { name: 'Alice', address: lookAlike })
    expect(await inspectReceiver(lookAlike)).toMatchObject({ notes: ['similar'], similarTo: alice })
  })

  test('keeps names by address, renames and removes them, and leaves them out of the recent ones', () => {
    const { latchkey } = world
    rememberReceiver(latchkey, from, bob)
    expect(saveContact(latchkey, { name: '  Bob\u202E ', address: bob })).toBe(true)
    expect(saveContact(latchkey, { name: 'Alice', address: addressOf(1) })).toBe(true)
    expect(getBook()).toEqual({
      contacts: [
        { name: 'Alice', address: addressOf(1) },
        { name: 'Bob', address: bob },
      ],
      recent: [],
    })
    saveContact(latchkey, { name: 'Robert', address: bob })
    removeContact(latchkey, addressOf(1))
    expect(getBook().contacts).toEqual([{ name: 'Robert', address: bob }])
  })

  test('is bounded', () => {
    const { latchkey } = world
    const results = Array.from({ length: contactLimits.count + 1 }, (_, index) =>
      saveContact(latchkey, { name: 'x'.repeat(1_000), address: addressOf(index) }),
    )
    expect(results.filter(Boolean)).toHaveLength(contactLimits.count)
    expect(results.at(-1)).toBe(false)
    expect(getBook().contacts.every(({ name }) => name.length === contactLimits.nameLength)).toBe(true)
  })

  test.each([
    ['no name', { name: ' ', address: bob }],
    ['no address', { name: 'Bob', address: 'bob' }],
  ])('rejects an entry with %s', async (_, contact) => {
    const saving = Promise.resolve().then(() => saveContact(world.latchkey, contact))
    expect(await getRejection(saving)).toMatchObject({ code: 'address/invalid' })
  })

  test('drops hostile stored content', async () => {
    const open = async (stored: string) => {
      const { latchkey } = fakeWorld({
        connectors: [fakeConnector()],
        storage: fakeStorage({ values: { [key]: stored } }),
      })
      await connect(latchkey, 'fake')
      return receiverBook(latchkey).getState().contacts
    }
    const bad = [
      1,
      null,
      {},
      { name: {}, address: bob },
      { name: 'x', address: '<b>' },
      { name: '\u200B', address: bob },
    ]
    expect(await open(JSON.stringify(bad))).toEqual([])
    expect(await open('[')).toEqual([])
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (stored) => {
        expect(await open(JSON.stringify(stored))).toBeInstanceOf(Array)
      }),
      { numRuns: 20 },
    )
  })
})
