import { beforeEach, expect, test } from 'vitest'
import { createResponseReceipts, type ResponseReceipts } from './responseReceipts.ts'

const topic = 'a'.repeat(64)

let pings: string[]
let acknowledged: number[]
let receipts: ResponseReceipts

beforeEach(() => {
  pings = []
  acknowledged = []
  receipts = createResponseReceipts({
    ping: (data) => void pings.push(data),
    acknowledge: ({ sequence }) => void acknowledged.push(sequence),
  })
})

const pong = (data: string): void => receipts.receivePong(Buffer.from(data))

test('the messages of a response are acknowledged with the next frame after its pong', () => {
  receipts.add([{ topic, sequence: 1 }])
  receipts.receiveFrame()
  pong('1')
  expect(acknowledged).toEqual([])
  receipts.receiveFrame()
  expect(acknowledged).toEqual([1])
  receipts.receiveFrame()
  expect(acknowledged).toEqual([1])
})

test('a pong confirms earlier responses, and no later ones', () => {
  for (const sequence of [1, 2, 3]) receipts.add([{ topic, sequence }])
  pong('2')
  receipts.receiveFrame()
  expect(acknowledged).toEqual([1, 2])
  expect(pings).toEqual(['1', '2', '3'])
})

test.each(['', 'x', '2', '1e9', 'Infinity', '-1'])('the pong %j, which has no ping, confirms nothing', (data) => {
  receipts.add([{ topic, sequence: 1 }])
  pong(data)
  receipts.receiveFrame()
  expect(acknowledged).toEqual([])
})

test('a response without messages is not followed by a ping', () => {
  receipts.add([])
  expect(pings).toEqual([])
})

test('only the last 64 responses are remembered for a client that sends no pongs', () => {
  for (let sequence = 1; sequence <= 100; sequence += 1) receipts.add([{ topic, sequence }])
  pong('100')
  receipts.receiveFrame()
  expect(acknowledged).toHaveLength(64)
  expect(acknowledged[0]).toBe(37)
})
