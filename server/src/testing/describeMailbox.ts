import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Clock } from '../kit/runtime/clock.ts'
import type { MailboxLimits } from '../relay/limits/admitMessages.ts'
import type { Mailbox, MailboxPosition, NewRelayMessage, StoreResult, RelayMessage } from '../relay/mailbox/mailbox.ts'

/** The store of the mailboxes of a suite. */
export type MailboxStore = {
  open(options: { clock: Clock; limits: MailboxLimits }): Mailbox
  close(): Promise<void>
}

/**
 * The contract of every mailbox.
 *
 * @param openStore opens an empty store, once for the whole suite
 * @example describeMailbox('in memory', async () => memoryStore())
 */
export function describeMailbox(name: string, openStore: () => Promise<MailboxStore>): void {
  describe(`mailbox ${name}`, () => {
    let store: MailboxStore
    let fixture: MailboxFixture
    let fixtures = 0

    beforeAll(async () => {
      store = await openStore()
    })
    afterAll(() => store.close())
    beforeEach(() => {
      fixtures += 1
      fixture = createMailboxFixture(store, fixtures)
    })

    describeStoring(() => fixture)
    describePredecessors(() => fixture)
    describeDuplicates(() => fixture)
    describeListing(() => fixture)
    describePages(() => fixture)
    describeAcknowledgements(() => fixture)
    describeExpiry(() => fixture)
    describeCapacity(() => fixture)
  })
}

/** The mailbox of a test, with its own topic and clock. */
type MailboxFixture = {
  readonly mailbox: Mailbox
  readonly topic: string
  /** Opens the same mailbox with other limits. */
  openMailbox(limits: Partial<MailboxLimits>): Mailbox
  now(): number
  advance(milliseconds: number): void
  newMessage(message: string, change?: Partial<NewRelayMessage>): NewRelayMessage
  /** Stores a message. @throws Error if it is a duplicate or the mailbox is full */
  storeMessage(message: string, change?: Partial<NewRelayMessage>): Promise<RelayMessage>
  /** Lists the texts of the undelivered messages of the topic. */
  listTexts(client: string, after?: number): Promise<readonly string[]>
}

/** @param index the number of the test, from which its topic and its day follow */
function createMailboxFixture(store: MailboxStore, index: number): MailboxFixture {
  const limits = { messages: 600, bytes: 1_000_000, bytesPerPublisher: 100_000_000 }
  // Each test has its own day, so the messages of other tests have expired.
  let now = 1_800_000_000_000 + index * 86_400_000
  const clock: Clock = { now: () => now }
  const topic = index.toString(16).padStart(64, '0')
  const openMailbox = (change: Partial<MailboxLimits>): Mailbox =>
    store.open({ clock, limits: { ...limits, ...change } })
  const mailbox = openMailbox({})
  const newMessage = (message: string, change: Partial<NewRelayMessage> = {}): NewRelayMessage => ({
    topic,
    message,
    ttl: 300,
    tag: 1108,
    attestation: '',
    origin: '',
    publisher: 'did:key:publisher',
    ...change,
  })
  return {
    mailbox,
    topic,
    openMailbox,
    now: () => now,
    advance: (milliseconds) => void (now += milliseconds),
    newMessage,
    async storeMessage(message, change) {
      const stored = await mailbox.store(newMessage(message, change))
      if (stored.outcome !== 'stored') throw new Error(`expected to be stored, was ${stored.outcome}`)
      return stored.message
    },
    async listTexts(client, after = 0) {
      return (await mailbox.listUndelivered(topic, client, after)).messages.map(({ message }) => message)
    },
  }
}

function describePredecessors(get: () => MailboxFixture): void {
  test('names the message before, or leaves that to its readers', async () => {
    const { storeMessage } = get()
    const first = await storeMessage('first')
    const second = await storeMessage('second')
    expect([first.sequence, undefined]).toContain(second.previous)
  })
}

function describeStoring(get: () => MailboxFixture): void {
  test('stores every property of a published message', async () => {
    const { mailbox, topic, now, storeMessage } = get()
    const { previous, ...stored } = await storeMessage('sealed', {
      tag: 0xffff_ffff,
      attestation: 'who',
      origin: 'https://app.example',
    })
    // A store may leave it out.
    expect([0, undefined]).toContain(previous)
    const { messages, hasMore } = await mailbox.listUndelivered(topic, 'wallet', 0)
    expect(messages).toEqual([stored])
    expect(hasMore).toBe(false)
    expect(stored).toMatchObject({
      topic,
      message: 'sealed',
      tag: 0xffff_ffff,
      attestation: 'who',
      origin: 'https://app.example',
    })
    expect(stored).toMatchObject({ publishedAt: now(), expiresAt: now() + 300_000 })
  })

  test('returns messages in the order of publication', async () => {
    const { storeMessage, listTexts } = get()
    const messages = Array.from({ length: 20 }, (_, index) => `message ${index}`)
    await Promise.all(messages.map((message) => storeMessage(message)))
    expect(await listTexts('wallet')).toEqual(messages)
  })

  test('keeps topics apart', async () => {
    const { storeMessage, listTexts } = get()
    await storeMessage('elsewhere', { topic: 'f'.repeat(64) })
    expect(await listTexts('wallet')).toEqual([])
  })

  test('stores 500 concurrent messages, and reports if there are more than it returns', async () => {
    const { mailbox, topic, storeMessage } = get()
    const messages = Array.from({ length: 500 }, (_, index) => `message ${index}`)
    await Promise.all(messages.map((message) => storeMessage(message)))
    const read: string[] = []
    let after = 0
    for (let hasMore = true; hasMore;) {
      const page = await mailbox.listUndelivered(topic, 'wallet', after)
      expect(page.messages.length).toBeGreaterThan(0)
      read.push(...page.messages.map(({ message }) => message))
      after = page.messages.at(-1)?.sequence ?? after
      hasMore = page.hasMore
    }
    expect(read).toEqual(messages)
  })

  test('is idle once all operations are done', async () => {
    const { mailbox, newMessage, listTexts } = get()
    const pending = Array.from({ length: 50 }, (_, index) => mailbox.store(newMessage(`message ${index}`)))
    await mailbox.idle()
    expect(await listTexts('wallet')).toHaveLength(50)
    await Promise.all(pending)
  })
}

function describeDuplicates(get: () => MailboxFixture): void {
  test('stores a repeated message once, acknowledged or not [R-07]', async () => {
    const { mailbox, newMessage, storeMessage, listTexts } = get()
    const stored = await storeMessage('again')
    expect(
      outcomesOf(await Promise.all([mailbox.store(newMessage('again')), mailbox.store(newMessage('again'))])),
    ).toEqual(['duplicate', 'duplicate'])
    expect(await listTexts('wallet')).toEqual(['again'])
    await mailbox.acknowledge(stored, 'wallet')
    expect((await mailbox.store(newMessage('again'))).outcome).toBe('duplicate')
    expect(await listTexts('wallet')).toEqual([])
  })

  test('stores one of several identical messages that are published at once [R-07]', async () => {
    const { mailbox, newMessage, listTexts } = get()
    const stored = await Promise.all([newMessage('twin'), newMessage('other'), newMessage('twin')].map(mailbox.store))
    expect(outcomesOf(stored)).toEqual(['stored', 'stored', 'duplicate'])
    expect(await listTexts('wallet')).toEqual(['twin', 'other'])
  })

  test('stores new messages beside repeated ones, and returns each with its own sequence [R-07]', async () => {
    const { mailbox, newMessage, storeMessage, listTexts } = get()
    for (const text of ['old 1', 'old 2']) await storeMessage(text)
    const texts = ['new 1', 'old 2', 'new 2', 'old 1', 'new 3']
    const results = await Promise.all(texts.map((text) => mailbox.store(newMessage(text))))
    expect(outcomesOf(results)).toEqual(['stored', 'duplicate', 'stored', 'duplicate', 'stored'])
    const stored = results.flatMap((result) => (result.outcome === 'stored' ? [result.message] : []))
    expect(stored.map(({ message }) => message)).toEqual(['new 1', 'new 2', 'new 3'])
    for (const message of stored.slice(1, 2)) await mailbox.acknowledge(message, 'wallet')
    expect(await listTexts('wallet')).toEqual(['old 1', 'old 2', 'new 1', 'new 3'])
  })

  test('delivers a message again that is published again after its TTL', async () => {
    const { mailbox, advance, storeMessage, listTexts } = get()
    const earlier = await storeMessage('again', { ttl: 30 })
    await mailbox.acknowledge(earlier, 'wallet')
    advance(31_000)
    const later = await storeMessage('again')
    expect(later.sequence).toBeGreaterThan(earlier.sequence)
    expect(await listTexts('wallet')).toEqual(['again'])
  })
}

function describeListing(get: () => MailboxFixture): void {
  test('returns only messages after a sequence', async () => {
    const { storeMessage, listTexts } = get()
    const { sequence } = await storeMessage('first')
    await storeMessage('second')
    expect(await listTexts('wallet', sequence)).toEqual(['second'])
  })

  test('lists the undelivered messages of several topics, and no others', async () => {
    const { mailbox, topic, storeMessage } = get()
    const [quiet, done] = ['d'.repeat(64), 'c'.repeat(64)]
    await storeMessage('waits')
    await storeMessage('mine', { topic: quiet, publisher: 'wallet' })
    await mailbox.acknowledge(await storeMessage('read', { topic: done }), 'wallet')
    const ofWallet = await mailbox.listUndeliveredOnTopics([quiet, topic, done], 'wallet')
    expect(ofWallet.messages.map(({ message }) => message)).toEqual(['waits'])
    expect(ofWallet.hasMore).toBe(false)
    expect((await mailbox.listUndeliveredOnTopics([topic], 'did:key:publisher')).messages).toEqual([])
  })

  test('returns the undelivered messages of a client on all topics', async () => {
    const { mailbox, storeMessage } = get()
    const readAll = async (
      start: MailboxPosition,
    ): Promise<{ texts: readonly string[]; position: MailboxPosition }> => {
      const texts: string[] = []
      let position = start
      for (let hasMore = true; hasMore;) {
        const page = await mailbox.listAllUndelivered('bridge', position)
        texts.push(...page.messages.map(({ message }) => message))
        position = page.position
        hasMore = page.hasMore
      }
      return { texts: texts.toSorted(), position }
    }
    const one = await storeMessage('one')
    await storeMessage('two', { topic: 'b'.repeat(64) })
    await storeMessage('mine', { publisher: 'bridge' })
    const { texts, position } = await readAll(0)
    expect(texts).toEqual(['one', 'two'])
    await mailbox.acknowledge(one, 'bridge')
    expect((await readAll(0)).texts).toEqual(['two'])
    expect((await readAll(position)).texts).toEqual([])
    await storeMessage('three')
    expect((await readAll(position)).texts).toEqual(['three'])
  })
}

function describePages(get: () => MailboxFixture): void {
  test('limits the page of several topics to about a megabyte', async () => {
    const { openMailbox, newMessage } = get()
    const big = openMailbox({ bytes: 100_000_000 })
    const topics = ['b', 'c', 'd'].map((digit) => digit.repeat(64))
    for (const each of topics) await big.store(newMessage('x'.repeat(600_000), { topic: each }))
    const { messages, hasMore } = await big.listUndeliveredOnTopics(topics, 'wallet')
    expect(messages.map((message) => message.topic)).toEqual(topics.slice(0, 2))
    expect(hasMore).toBe(true)
  })

  test('lists many full topics that are requested at once, each completely', async () => {
    const { openMailbox, newMessage } = get()
    const big = openMailbox({ bytes: 100_000_000 })
    const topics = Array.from({ length: 12 }, (_, index) => `${index}`.padStart(64, 'b'))
    for (const each of topics) await big.store(newMessage(each + 'x'.repeat(700_000), { topic: each }))
    const pages = await Promise.all(topics.map((each) => big.listUndelivered(each, 'wallet', 0)))
    expect(pages.map(({ messages }) => messages.map((message) => message.topic))).toEqual(topics.map((each) => [each]))
  })

  test('returns big messages in pages of about a megabyte', async () => {
    const { topic, openMailbox, newMessage } = get()
    const big = openMailbox({ bytes: 100_000_000 })
    for (let index = 0; index < 5; index += 1) await big.store(newMessage(String(index).repeat(600_000)))
    const first = await big.listUndelivered(topic, 'wallet', 0)
    expect(first.messages.map(({ message }) => message.charAt(0))).toEqual(['0', '1'])
    expect(first.hasMore).toBe(true)
    const last = await big.listUndelivered(topic, 'wallet', first.messages.at(-1)?.sequence ?? 0)
    expect(last.messages.map(({ message }) => message.charAt(0))).toEqual(['2', '3'])
  })
}

function describeAcknowledgements(get: () => MailboxFixture): void {
  test('never returns a message to its publisher', async () => {
    const { storeMessage, listTexts } = get()
    await storeMessage('mine')
    expect(await listTexts('did:key:publisher')).toEqual([])
  })

  test('returns a message to other clients, but no longer to the one that acknowledged it', async () => {
    const { mailbox, storeMessage, listTexts } = get()
    const one = await storeMessage('one')
    await storeMessage('two')
    await mailbox.acknowledge(one, 'wallet')
    await mailbox.acknowledge(one, 'wallet')
    expect(await listTexts('wallet')).toEqual(['two'])
    expect(await listTexts('another')).toEqual(['one', 'two'])
  })

  test('filters receipts by the undelivered messages that they name', async () => {
    const { mailbox, topic, advance, storeMessage } = get()
    const one = await storeMessage('one')
    const two = await storeMessage('two')
    const mine = await storeMessage('mine', { publisher: 'wallet' })
    const gone = await storeMessage('gone', { ttl: 30 })
    await mailbox.acknowledge(two, 'wallet')
    advance(31_000)
    const wrongTopic = { topic: 'f'.repeat(64), sequence: one.sequence }
    const receipts = [one, two, mine, gone, wrongTopic, { topic, sequence: 9_000_000_000 }]
    expect(await mailbox.filterUndelivered(receipts, 'wallet')).toEqual([one])
    expect(await mailbox.filterUndelivered([one, two], 'tablet')).toEqual([one, two])
  })

  test('lists the topics of messages without an acknowledgement for two seconds, each message once', async () => {
    const { mailbox, topic, advance, storeMessage } = get()
    const { last: start } = await mailbox.findUnacknowledgedTopics()
    const delivered = await storeMessage('delivered', { topic: 'c'.repeat(64) })
    await storeMessage('unheard')
    await mailbox.acknowledge(delivered, 'wallet')
    expect(await mailbox.findUnacknowledgedTopics(start)).toEqual({ topics: [], last: start })
    advance(2_000)
    const { topics, last } = await mailbox.findUnacknowledgedTopics(start)
    expect(topics).toEqual([topic])
    expect(await mailbox.findUnacknowledgedTopics(last)).toEqual({ topics: [], last })
    expect(await mailbox.findUnacknowledgedTopics()).toEqual({ topics: [], last })
  })
}

function describeExpiry(get: () => MailboxFixture): void {
  test('returns a message until its TTL ends, to the second [R-06]', async () => {
    const { advance, storeMessage, listTexts } = get()
    await storeMessage('short', { ttl: 30 })
    await storeMessage('long', { ttl: 60 })
    advance(29_000)
    expect(await listTexts('wallet')).toEqual(['short', 'long'])
    advance(1_000)
    expect(await listTexts('wallet')).toEqual(['long'])
  })

  test('deletes only expired messages', async () => {
    const { mailbox, advance, storeMessage, listTexts } = get()
    await mailbox.deleteExpired()
    await storeMessage('short', { ttl: 30 })
    await storeMessage('long', { ttl: 60 })
    expect(await mailbox.deleteExpired()).toBe(0)
    advance(30_000)
    expect(await mailbox.deleteExpired()).toBe(1)
    expect(await listTexts('wallet')).toEqual(['long'])
  })
}

function describeCapacity(get: () => MailboxFixture): void {
  test('is full at exactly its number of messages, even if they are published at once [R-17]', async () => {
    const { openMailbox, newMessage } = get()
    const small = openMailbox({ messages: 3 })
    const stored = await Promise.all(['1', '2', '3', '4'].map((message) => small.store(newMessage(message))))
    expect(outcomesOf(stored)).toEqual(['stored', 'stored', 'stored', 'full'])
    expect((await small.store(newMessage('5'))).outcome).toBe('full')
    expect((await small.store(newMessage('1'))).outcome).toBe('duplicate')
  })

  test('is full at its number of bytes, not of characters [R-17]', async () => {
    const { openMailbox, newMessage } = get()
    const small = openMailbox({ bytes: 10 })
    expect((await small.store(newMessage('ééééé'))).outcome).toBe('stored')
    expect((await small.store(newMessage('a'))).outcome).toBe('full')
  })

  test('does not count acknowledged or expired messages, or those of other topics, as full [R-17]', async () => {
    const { openMailbox, advance, newMessage } = get()
    const small = openMailbox({ messages: 2 })
    const first = await small.store(newMessage('first'))
    if (first.outcome === 'stored') await small.acknowledge(first.message, 'wallet')
    expect((await small.store(newMessage('second', { ttl: 30 }))).outcome).toBe('stored')
    expect((await small.store(newMessage('third'))).outcome).toBe('stored')
    expect((await small.store(newMessage('fourth'))).outcome).toBe('full')
    expect((await small.store(newMessage('fourth', { topic: 'e'.repeat(64) }))).outcome).toBe('stored')
    advance(31_000)
    expect((await small.store(newMessage('fourth'))).outcome).toBe('stored')
  })

  test('limits the undelivered bytes of one publisher on all topics [R-17]', async () => {
    const { openMailbox, advance, newMessage } = get()
    const small = openMailbox({ bytesPerPublisher: 10 })
    const first = await small.store(newMessage('12345'))
    expect((await small.store(newMessage('67890', { topic: 'e'.repeat(64) }))).outcome).toBe('stored')
    expect((await small.store(newMessage('a', { topic: 'd'.repeat(64) }))).outcome).toBe('full')
    expect((await small.store(newMessage('a', { publisher: 'did:key:another' }))).outcome).toBe('stored')
    if (first.outcome === 'stored') await small.acknowledge(first.message, 'wallet')
    advance(10_000)
    expect((await small.store(newMessage('b'))).outcome).toBe('stored')
  })
}

function outcomesOf(stored: readonly StoreResult[]): readonly string[] {
  return stored.map(({ outcome }) => outcome)
}
