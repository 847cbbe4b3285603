import { expect, test } from 'vitest'
import { checkHistory } from './checker.ts'
import type { HistoryLine, Operation } from './history.ts'

const topic = 'topic a'

const createLine = (proc: string, type: HistoryLine['type'], op: Operation): HistoryLine => ({ t: 1, proc, type, op })
const createSubscribeLine = (proc: string, to = topic): HistoryLine =>
  createLine(proc, 'ok', { does: 'subscribe', topic: to })
const createPublishLines = (
  message: string,
  end: 'ok' | 'fail' | 'info' = 'ok',
  proc = 'dapp',
): readonly HistoryLine[] =>
  (['invoke', end] as const).map((type) => createLine(proc, type, { does: 'publish', topic, message }))
const createReceiveLine = (message: string, connection = 1, proc = 'wallet', on = topic): HistoryLine =>
  createLine(proc, 'ok', { does: 'receive', topic: on, message, connection })

const fine = { lost: [], phantoms: [], redelivered: 0, duplicates: [], reordered: [] }

test('checkHistory reports no violation when every confirmed message arrived once and in order', () => {
  const lines = [
    createSubscribeLine('wallet'),
    ...createPublishLines('1'),
    ...createPublishLines('2'),
    createReceiveLine('1'),
    createReceiveLine('2'),
  ]
  expect(checkHistory(lines)).toEqual({ ...fine, published: 2, confirmed: 2, received: 2 })
})

test('checkHistory reports a confirmed message that was never received as lost', () => {
  const lines = [
    createSubscribeLine('wallet'),
    ...createPublishLines('1'),
    ...createPublishLines('2'),
    createReceiveLine('1'),
  ]
  expect(checkHistory(lines).lost).toEqual(['wallet never got "2", which was confirmed'])
})

test('checkHistory reports a message as lost per subscriber, and ignores peers that were not subscribed', () => {
  const lines = [
    createSubscribeLine('wallet'),
    createSubscribeLine('other wallet'),
    createSubscribeLine('stranger', 'topic b'),
    ...createPublishLines('1'),
    createReceiveLine('1'),
  ]
  expect(checkHistory(lines).lost).toEqual(['other wallet never got "1", which was confirmed'])
})

test('checkHistory accepts an unconfirmed message whether or not it is received', () => {
  const lines = [
    createSubscribeLine('wallet'),
    ...createPublishLines('1', 'info'),
    ...createPublishLines('2', 'info'),
    createReceiveLine('2'),
  ]
  expect(checkHistory(lines)).toMatchObject({ ...fine, published: 2, confirmed: 0 })
})

test('checkHistory counts a message as confirmed when a retry was confirmed', () => {
  const lines = [createSubscribeLine('wallet'), ...createPublishLines('1', 'info'), ...createPublishLines('1')]
  expect(checkHistory(lines)).toMatchObject({ published: 1, confirmed: 1 })
  expect(checkHistory(lines).lost).toHaveLength(1)
})

test('checkHistory reports received messages that were unpublished, of another topic or refused as phantoms', () => {
  const lines = [
    ...createPublishLines('1'),
    ...createPublishLines('2', 'fail'),
    createReceiveLine('made up'),
    createReceiveLine('1', 1, 'wallet', 'topic b'),
    createReceiveLine('2'),
  ]
  expect(checkHistory(lines).phantoms).toEqual([
    'wallet got "made up" at 1 ms, which was never published',
    'wallet got "1" at 1 ms, which was published on another topic',
    'wallet got "2" at 1 ms, which was refused',
  ])
})

test('checkHistory does not report a refused message as a phantom when an earlier attempt was unconfirmed', () => {
  const lines = [...createPublishLines('1', 'info'), ...createPublishLines('1', 'fail'), createReceiveLine('1')]
  expect(checkHistory(lines).phantoms).toEqual([])
})

test('checkHistory counts a repeat on a later connection as redelivered and on the same connection as duplicate', () => {
  const lines = [
    ...createPublishLines('1'),
    createReceiveLine('1', 1),
    createReceiveLine('1', 2),
    createReceiveLine('1', 2),
    createReceiveLine('1', 1, 'other'),
  ]
  const { redelivered, duplicates } = checkHistory(lines)
  expect(redelivered).toBe(1)
  expect(duplicates).toEqual(['wallet got "1" again on connection 2 at 1 ms'])
})

test('checkHistory reports a message received after a later message of the same publisher as reordered', () => {
  const lines = [
    ...createPublishLines('1'),
    ...createPublishLines('2'),
    ...createPublishLines('3'),
    createReceiveLine('2'),
    createReceiveLine('1'),
    createReceiveLine('3'),
  ]
  expect(checkHistory(lines).reordered).toEqual(['wallet got "1" at 1 ms, after "2"'])
})

test('checkHistory ignores the order between publishers and of redelivered messages', () => {
  const lines = [
    ...createPublishLines('1'),
    ...createPublishLines('2', 'ok', 'other dapp'),
    ...createPublishLines('3'),
    createReceiveLine('2'),
    createReceiveLine('1'),
    createReceiveLine('3'),
    createReceiveLine('1', 2),
  ]
  expect(checkHistory(lines).reordered).toEqual([])
})

test('checkHistory throws when two publications are identical', () => {
  const lines = [...createPublishLines('1'), ...createPublishLines('1', 'ok', 'other dapp')]
  expect(() => checkHistory(lines)).toThrow('two publications "1"')
})
