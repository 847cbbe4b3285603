import { expect, test } from 'vitest'
import { createAddressMemory } from './addressMemory.ts'

test('an address is full at its maximum, and not after bytes were freed', () => {
  const memory = createAddressMemory(100)
  memory.change('192.0.2.1', 99)
  expect(memory.isFull('192.0.2.1')).toBe(false)
  memory.change('192.0.2.1', 1)
  expect(memory.isFull('192.0.2.1')).toBe(true)
  expect(memory.isFull('192.0.2.2')).toBe(false)
  memory.change('192.0.2.1', -1)
  expect(memory.isFull('192.0.2.1')).toBe(false)
})

test('an attacker who owns a /48 gets the memory of 16 networks, not of 65,536 [P-04]', () => {
  const memory = createAddressMemory(100)
  for (let network = 0; network < 16; network += 1) memory.change(`2001:db8:1:${network.toString(16)}::/64`, 100)
  expect(memory.isFull('2001:db8:1:ffff::/64')).toBe(true)
  expect(memory.isFull('2001:db8:2:ffff::/64')).toBe(false)
  memory.change('2001:db8:1:3::/64', -100)
  expect(memory.isFull('2001:db8:1:ffff::/64')).toBe(false)
})

test('the metrics are the sum of all addresses and the largest one', () => {
  const memory = createAddressMemory(100)
  memory.change('192.0.2.1', 30)
  memory.change('192.0.2.2', 40)
  memory.change('2001:db8:1:1::/64', 20)
  expect([memory.total(), memory.largest()]).toEqual([90, 40])
  memory.change('192.0.2.2', -40)
  expect([memory.total(), memory.largest()]).toEqual([50, 30])
})
