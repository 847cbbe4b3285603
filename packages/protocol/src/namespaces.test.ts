import { expect, test } from 'vitest'
import { isNamespace, namespaces } from './namespaces.ts'

test('namespaces are exactly eip155, solana, polkadot and bip122 [R1.7]', () => {
  expect([...namespaces].toSorted()).toEqual(['bip122', 'eip155', 'polkadot', 'solana'])
  expect(namespaces.every(isNamespace)).toBe(true)
  for (const other of ['cosmos', 'EIP155', '', 'toString', '__proto__']) expect(isNamespace(other)).toBe(false)
})
